// The simulator holds Freehold to its invariants through a virtual season and trouble of replicas, repeats itself, and
// finds planted bugs. Longer runs: npm run simulate -- --seeds 100 --hours 2000

import assert from "node:assert/strict";
import { test } from "node:test";
import { missing } from "../postgres/database.ts";
import { mutated } from "./mutations/apply.ts";
import { mutations } from "./mutations/catalog.ts";
import { runBatch, runSimulator } from "./run-simulator.ts";

/** A quarter of a year. */
const HOURS = 2_190;
const HISTORIES = 2;
const ACCEPTED = "answer POST /v2/.../run 200";
/** Each has a run of its own: a failure names the seed that repeats it. */
const SEEDS = [1];
/** Bugs of different kinds that show early. The command that writes docs/simulator.md tries all. */
const QUICK = [
  "a ledger entry is lost",
  "the remainder of a micro-dollar is lost",
  "a GPU is not released",
  "the end of a job admits no other",
  "a schedule fires an instant again",
];

test("every invariant holds through a quarter of a virtual year", async () => {
  for (const seed of SEEDS) {
    const { violation, counts } = await runSimulator({ seed, hours: HOURS });
    assert.equal(violation, null, `npm run simulate -- --seed ${seed}`);
    assert.ok(counts["job move IN_QUEUE -> COMPLETED"], "jobs were done");
  }
});

test("every invariant holds on PostgreSQL with one replica", { skip: missing }, async () => {
  const { violation, counts } = await runSimulator({ seed: 1, hours: 0.25, replicas: 1 });
  assert.equal(violation, null, "npm run simulate -- --seed 1 --replicas 1");
  assert.ok(counts[ACCEPTED], "jobs were accepted");
});

test("every invariant holds in histories of the same two replicas", { skip: missing }, async () => {
  const outcomes = [];
  for await (const outcome of runBatch({ seed: 1, hours: 0.1, replicas: 2 }, HISTORIES))
    outcomes.push(outcome);
  const violated = outcomes.flatMap(({ seed, violation }) =>
    violation ? [[seed, violation]] : [],
  );
  assert.deepEqual(violated, []);
  assert.equal(outcomes.length, HISTORIES);
  assert.ok(
    outcomes.some(({ counts }) => counts[ACCEPTED]),
    "jobs were accepted",
  );
});

test("the same seed leads through the same states, and another seed does not", async () => {
  const run = (seed: number) => runSimulator({ seed, hours: 200 });
  const [first, again, other] = [await run(7), await run(7), await run(8)];
  assert.equal(again.trace, first.trace);
  assert.notEqual(other.trace, first.trace);
});

for (const mutation of QUICK) {
  test(`the simulator finds that ${mutation}`, async () => {
    for (const seed of [1, 2, 3])
      if ((await runSimulator({ seed, hours: 1_000, mutation })).violation) return;
    assert.fail("no invariant was violated");
  });
}

test("every planted bug still fits the source", () => {
  for (const [name, { after }] of Object.entries(mutations))
    assert.ok(mutated(name).includes(after), name);
});
