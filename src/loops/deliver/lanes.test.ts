import assert from "node:assert/strict";
import { test } from "node:test";
import { Lanes } from "./lanes.ts";

/** Work that ends when it is told to. */
function stage(most: number, perLane: number) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  let freed = 0;
  const lanes = new Lanes(most, perLane, () => freed++);
  const run = (lane: string, id: string) =>
    lanes.run(lane, id, () => {
      started.push(id);
      return new Promise((resolve) => ends.set(id, resolve));
    });
  const end = async (id: string) => {
    ends.get(id)!();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { lanes, run, end, started, freed: () => freed };
}

test("a full lane leaves room in the others, even where all places are taken", () => {
  const { run, started } = stage(3, 2);
  for (const id of ["a1", "a2", "a3"]) run("a", id);
  for (const id of ["b1", "b2"]) run("b", id);
  run("c", "c1");
  assert.deepEqual(started, ["a1", "a2", "b1", "c1"]);
});

test("what is under way is not started again, and its end makes room and says so", async () => {
  const { run, end, started, freed } = stage(9, 1);
  run("a", "a1");
  run("a", "a1");
  run("a", "a2");
  assert.deepEqual(started, ["a1"]);
  await end("a1");
  assert.equal(freed(), 1);
  run("a", "a2");
  run("a", "a1");
  assert.deepEqual(started, ["a1", "a2"]);
});

test("it is empty when the last one has ended", async () => {
  const { lanes, run, end } = stage(9, 9);
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
