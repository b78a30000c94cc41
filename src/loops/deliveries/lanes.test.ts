import assert from "node:assert/strict";
import { test } from "node:test";
import { Lanes } from "./lanes.ts";

/** Work that ends on request. */
function fixture(limit: number, perLane: number) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  let rooms = 0;
  const lanes = new Lanes(limit, perLane, () => rooms++);
  const run = (lane: string, id: string) =>
    lanes.run(lane, id, () => {
      started.push(id);
      return new Promise((resolve) => ends.set(id, resolve));
    });
  const end = async (id: string) => {
    ends.get(id)!();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { lanes, run, end, started, timesWithRoom: () => rooms };
}

test("a full lane leaves room in the others, even if all slots are taken", () => {
  const { run, started } = fixture(3, 2);
  for (const id of ["a1", "a2", "a3"]) run("a", id);
  for (const id of ["b1", "b2"]) run("b", id);
  run("c", "c1");
  assert.deepEqual(started, ["a1", "a2", "b1", "c1"]);
});

test("a delivery in flight is not started again, and its end frees a slot and notifies", async () => {
  const { run, end, started, timesWithRoom } = fixture(9, 1);
  run("a", "a1");
  run("a", "a1");
  run("a", "a2");
  assert.deepEqual(started, ["a1"]);
  await end("a1");
  assert.equal(timesWithRoom(), 1);
  run("a", "a2");
  run("a", "a1");
  assert.deepEqual(started, ["a1", "a2"]);
});

test("the lanes are empty when the last delivery has ended", async () => {
  const { lanes, run, end } = fixture(9, 9);
  run("a", "a1");
  run("b", "b1");
  let empty = false;
  const waiting = lanes.empty().then(() => {
    empty = true;
  });
  await end("a1");
  assert.equal(empty, false);
  await end("b1");
  await waiting;
});
