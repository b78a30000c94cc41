import assert from "node:assert/strict";
import { test } from "node:test";
import type { Clock } from "../../base/clock.ts";
import { Watch } from "./connected-since.ts";

function begin() {
  const clock = {
    time: 1_000,
    stepMs: 0,
    jumpedTo: Number.NEGATIVE_INFINITY,
    after: () => () => {},
    now: () => clock.time + clock.stepMs,
    ticks: () => clock.time,
  };
  const watch = new Watch(clock satisfies Clock);
  const passAt = (now: number) => {
    clock.time = now;
    return watch.recordPass();
  };
  return { clock, passAt };
}

test("passes without a gap count back to the first", () => {
  const { passAt } = begin();
  for (let now = 1_000; now < 60_000; now += 5_000) assert.equal(passAt(now), 1_000);
});

test("after a gap the connection counts from the next pass", () => {
  const { passAt } = begin();
  assert.equal(passAt(2_000), 1_000);
  assert.equal(passAt(7_001), 7_001);
  assert.equal(passAt(9_000), 7_001);
});

test("the connection counts from the next pass after the clock was set, forward or back", () => {
  for (const stepMs of [2_000, 300_000, -2_000, -300_000]) {
    const { clock, passAt } = begin();
    assert.equal(passAt(2_000), 1_000);
    clock.stepMs = stepMs;
    assert.equal(passAt(3_000), 3_000 + stepMs);
    assert.equal(passAt(4_000), 3_000 + stepMs);
  }
});

test("a jump of time is a gap, however short", () => {
  const { clock, passAt } = begin();
  assert.equal(passAt(2_000), 1_000);
  clock.jumpedTo = 4_000;
  assert.equal(passAt(4_000), 4_000);
  assert.equal(passAt(5_000), 4_000);
});
