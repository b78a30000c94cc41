import assert from "node:assert/strict";
import { test } from "node:test";
import { Deadline, LATE, msUntil, pause, VirtualClock, within } from "./clock.ts";

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

test("a wait ends with its work, at its limit, or with its caller", async () => {
  const clock = new VirtualClock();
  const limit = () => new Deadline(clock, 1_000);
  assert.equal(await within(limit(), async () => "done"), "done");
  await assert.rejects(
    within(limit(), () => Promise.reject(new Error("refused"))),
    /refused/,
  );
  const never = () => new Promise<never>(() => {});
  const late = within(limit(), never);
  await clock.advance(999);
  assert.equal(await Promise.race([late, "waiting"]), "waiting");
  await clock.advance(1);
  assert.equal(await late, LATE);
  const caller = new AbortController();
  const left = within(new Deadline(clock, Number.POSITIVE_INFINITY), never, caller.signal);
  caller.abort();
  assert.equal(await left, LATE);
  const begun: string[] = [];
  assert.equal(await within(limit(), async () => begun.push("work"), caller.signal), LATE);
  assert.deepEqual(begun, [], "work that nothing waits for does not begin");
});

test("work that nothing waits for any more is aborted, and may fail unheard", async () => {
  const clock = new VirtualClock();
  const signals: AbortSignal[] = [];
  const start = (work: () => Promise<unknown>) => {
    return within(new Deadline(clock, 1_000), (signal) => {
      signals.push(signal);
      return work();
    });
  };
  await start(async () => "done");
  const failing = start(() => Promise.reject(new Error("a part failed")));
  await assert.rejects(failing);
  const rejection = Promise.withResolvers<never>();
  const late = start(() => rejection.promise);
  await clock.advance(1_000);
  assert.equal(await late, LATE);
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [false, true, true],
  );
  // An unhandled rejection would fail this file.
  rejection.reject(new Error("too late"));
  await clock.advance(5_000);
  assert.equal(clock.pending, 0, "no timer is left");
});
