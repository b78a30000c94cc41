import assert from "node:assert/strict";
import { test } from "node:test";
import { Deadline, msUntil, pause, VirtualClock } from "./clock.ts";

test("a step of the clock moves instants, and neither deadlines nor timers", async () => {
  const clock = new VirtualClock(100_000_000);
  const deadline = new Deadline(clock, 5_000);
  let isRested = false;
  void pause(clock, 5_000).then(() => {
    isRested = true;
  });
  await clock.advance(1_000);
  for (const stepMs of [3_600_000, -7_200_000]) {
    const before = clock.now();
    clock.step(stepMs);
    assert.equal(clock.now() - before, stepMs);
    assert.equal(deadline.leftMs(), 4_000);
  }
  assert.equal(msUntil(clock, 100_000_000), 3_599_000);
  assert.equal(msUntil(clock, 0), 0);
  await clock.advance(3_999);
  assert.deepEqual([deadline.isOver(), isRested], [false, false]);
  await clock.advance(1);
  assert.deepEqual([deadline.isOver(), isRested], [true, true]);
});
