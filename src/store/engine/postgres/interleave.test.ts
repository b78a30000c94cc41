// Which queries share a round trip, and which transaction gets which results.

import assert from "node:assert/strict";
import { test } from "node:test";
import { notify, row, type Tx, together } from "../statement.ts";
import { interleave } from "./interleave.ts";

function* ask(...names: string[]): Tx<string> {
  let text = "";
  for (const name of names) text += (yield* row<{ answer: string }>(name))?.answer;
  return text;
}

function* askAll(first: string, ...names: string[]): Tx<string[]> {
  const before = yield* ask(first);
  yield* notify("topic");
  return [before, ...(yield* together(names.map((name) => ask(name))))];
}

/** Answers every query with its own text, and returns the queries of each round trip. */
function run(transactions: Tx<unknown>[]) {
  const notes: unknown[] = [];
  const trips: string[][] = [];
  const steps = interleave(transactions, (note) => notes.push(note));
  let step = steps.next();
  while (!step.done) {
    trips.push(step.value.map(({ sql }) => sql));
    step = steps.next(step.value.map(({ sql }) => [{ answer: sql }]));
  }
  return { trips, notes, results: step.value };
}

test("the next query of each shares a round trip, in the order of the transactions", () => {
  const { trips, results } = run([ask("a", "b"), ask("c"), ask(), ask("d", "e", "f")]);
  assert.deepEqual(trips, [["a", "c", "d"], ["b", "e"], ["f"]]);
  assert.deepEqual(results, ["ab", "c", "", "def"]);
});

test("concurrent parts of a transaction share the round trips of the others", () => {
  const { trips, results, notes } = run([askAll("a", "b", "c"), ask("d", "e"), together([])]);
  assert.deepEqual(trips, [
    ["a", "d"],
    ["b", "c", "e"],
  ]);
  assert.deepEqual(results, [["a", "b", "c"], "de", []]);
  assert.equal(notes.length, 1);
});

test("transactions without queries take no round trip", () => {
  assert.deepEqual(run([]), { trips: [], notes: [], results: [] });
});
