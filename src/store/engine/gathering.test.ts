// How long batches wait, with a clock that moves on by one pass of the event loop whenever it is read.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Gathering } from "./gathering.ts";

function fixture(passMs: number) {
  let now = 0;
  const gathering = new Gathering(() => (now += passMs));
  /** Gathers a batch whose calls come one a pass, up to `most`; returns how many it got. */
  const batchOf = async (most: number): Promise<number> => {
    let calls = 0;
    await gathering.gather(() => {
      if (calls < most) calls++;
      return calls;
    });
    return calls;
  };
  return { batchOf, readsSince: (before: number) => now / passMs - before };
}

const repeat = async (times: number, run: () => Promise<number>) => {
  let last = 0;
  for (let n = 0; n < times; n++) last = await run();
  return last;
};

test("once four calls come together, a batch waits for all of them", async () => {
  const { batchOf } = fixture(0.01);
  assert.equal(await batchOf(4), 1);
  assert.equal(await repeat(400, () => batchOf(4)), 4);
});

test("a single caller's batches do not wait, except for rare probes", async () => {
  const { batchOf, readsSince } = fixture(0.01);
  await repeat(400, () => batchOf(1));
  const before = readsSince(0);
  await repeat(100, () => batchOf(1));
  assert.ok(readsSince(before) < 40);
});

test("after the other callers have left, batches soon stop waiting for them", async () => {
  const { batchOf, readsSince } = fixture(0.01);
  await repeat(400, () => batchOf(8));
  await repeat(20, () => batchOf(1));
  const before = readsSince(0);
  await repeat(7, () => batchOf(1));
  assert.equal(readsSince(before), 0);
});
