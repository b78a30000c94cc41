// The table of which worker gets a request.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Affinity, affinityOf } from "./affinity.ts";
import { type Candidate, type Choice, chooseWorker } from "./choose-worker.ts";

const worker = (id: string, inFlight: number, more: Partial<Candidate> = {}): Candidate => {
  return { id, inFlight, ready: true, lastUsed: 0, ...more };
};
const any: Affinity = { kind: "any" };
const prefer: Affinity = { kind: "prefer", workerId: "b" };
const require: Affinity = { kind: "require", workerId: "b" };
const send = (workerId: string): Choice => ({ do: "send", workerId });
const wait: Choice = { do: "wait" };
const a = worker("a", 2);
const b = worker("b", 5);

const table: [
  name: string,
  workers: Candidate[],
  affinity: Affinity,
  avoid: string[],
  expected: Choice,
][] = [
  ["no worker", [], any, [], wait],
  ["none ready", [worker("a", 0, { ready: false })], any, [], wait],
  ["fewest in flight", [b, a], any, [], send("a")],
  ["not ready does not count", [worker("c", 0, { ready: false }), b], any, [], send("b")],
  [
    "equal: used longest ago",
    [worker("a", 1, { lastUsed: 9 }), worker("c", 1)],
    any,
    [],
    send("c"),
  ],
  ["avoids an unreachable one", [a, b], any, ["a"], send("b")],
  ["all unreachable: tries one", [a, b], any, ["a", "b"], send("a")],
  ["preferred although busier", [a, b], prefer, [], send("b")],
  ["preferred is not ready", [a, { ...b, ready: false }], prefer, [], send("a")],
  ["preferred is gone", [a], prefer, [], send("a")],
  ["required", [a, b], require, [], send("b")],
  ["required is not ready: waits", [a, { ...b, ready: false }], require, [], wait],
  ["required is gone", [a], require, [], { do: "refuse", why: "worker_gone" }],
];

for (const [name, workers, affinity, avoid, expected] of table) {
  test(`choosing a worker: ${name}`, () => {
    assert.deepEqual(chooseWorker(workers, affinity, new Set(avoid)), expected);
  });
}

test("the affinity header has three forms", () => {
  assert.deepEqual(affinityOf(undefined), any);
  assert.deepEqual(affinityOf(" "), any);
  assert.deepEqual(affinityOf("b"), prefer);
  assert.deepEqual(affinityOf("strict b"), require);
  assert.deepEqual(affinityOf("strict-resume b"), require);
  for (const wrong of ["strict a b", "a/b", "x".repeat(65)]) {
    assert.equal(affinityOf(wrong), null, wrong);
  }
});
