// The loop engine: when passes start, and how loops end.

import assert from "node:assert/strict";
import { test } from "node:test";
import pino from "pino";
import { pause, VirtualClock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import { Notifier } from "../../store/engine/notifier.ts";
import { type Loop, PartialFailure, runLoops } from "./loop.ts";

test("a loop that cannot finish does not keep the others from finishing", async () => {
  const finished: string[] = [];
  const loop = (name: string, finish: Loop["finish"]): Loop => ({
    name,
    shared: false,
    periodMs: 1_000,
    restMs: 0,
    topics: [],
    finish,
    run: async () => null,
  });
  const clock = new VirtualClock();
  const running = runLoops(
    [
      loop("first", () => Promise.reject(new Fault("store_unavailable"))),
      loop("second", async () => void finished.push("second")),
    ],
    {
      clock,
      notifier: new Notifier(),
      log: pino({ level: "silent" }),
      leaderships: { mine: async () => true },
    },
  );
  await clock.advance(10);
  await running.stop();
  assert.deepEqual(finished, ["second"]);
});

test("a clock that is set changes nothing about when a loop runs", async () => {
  const clock = new VirtualClock();
  let passes = 0;
  /** In the middle of the next pass. */
  let nextStepMs = 0;
  const run = async () => {
    passes++;
    clock.step(nextStepMs);
    nextStepMs = 0;
    return null;
  };
  const running = runLoops(
    [{ name: "first", shared: false, periodMs: 1_000, restMs: 200, topics: [], run }],
    {
      clock,
      notifier: new Notifier(),
      log: pino({ level: "silent" }),
      leaderships: { mine: async () => true },
    },
  );
  for (const stepMs of [-3_600_000, 3_600_000, -10_000, 10_000, -300_000]) {
    for (const isWithinPass of [true, false]) {
      const before = passes;
      await clock.advance(50);
      if (isWithinPass) nextStepMs = stepMs;
      else clock.step(stepMs);
      await clock.advance(12_000);
      assert.equal(passes - before, 12, `after a step of ${stepMs} ms`);
    }
  }
  await clock.advance(50);
  await running.stop();
});

test("a loop with a period runs once each period, whatever its rest and its passes take", async () => {
  const startsOf = async (loop: Pick<Loop, "periodMs" | "restMs">, passMs: number) => {
    const clock = new VirtualClock(0);
    const starts: number[] = [];
    const run = async () => {
      starts.push(clock.ticks());
      await pause(clock, passMs);
      return null;
    };
    const running = runLoops([{ name: "first", shared: false, topics: [], ...loop, run }], {
      clock,
      notifier: new Notifier(),
      log: pino({ level: "silent" }),
      leaderships: { mine: async () => true },
    });
    await clock.advance(3_500);
    const stopped = running.stop();
    await clock.advance(passMs);
    await stopped;
    return starts;
  };
  for (const restMs of [0, 200, 500, 1_000]) {
    for (const passMs of [0, 100, 700]) {
      const starts = await startsOf({ periodMs: 1_000, restMs }, passMs);
      assert.deepEqual(
        starts,
        [0, 1_000, 2_000, 3_000],
        `a rest of ${restMs} ms, ${passMs} ms each`,
      );
    }
  }
  const overrun = await startsOf({ periodMs: 1_000, restMs: 500 }, 1_500);
  assert.deepEqual(overrun, [0, 1_500, 3_000], "a pass that takes longer than the period");
});

test("notifications start one pass for all of them, after the rest and no later", async () => {
  const clock = new VirtualClock(0);
  const notifier = new Notifier();
  const starts: number[] = [];
  const run = async () => {
    starts.push(clock.ticks());
    // One that comes during a pass starts another.
    if (starts.length === 1) notifier.notify("fleet");
    return null;
  };
  const running = runLoops(
    [{ name: "first", shared: false, periodMs: 1_000, restMs: 200, topics: ["fleet"], run }],
    {
      clock,
      notifier,
      log: pino({ level: "silent" }),
      leaderships: { mine: async () => true },
    },
  );
  await clock.advance(750);
  notifier.notify("fleet");
  notifier.notify("fleet");
  await clock.advance(1_100);
  await running.stop();
  assert.deepEqual(starts, [0, 200, 750, 1_750]);
});

test("a pass that failed in part is followed by the pass that it needs", async () => {
  const clock = new VirtualClock(0);
  const starts: number[] = [];
  const run = async () => {
    starts.push(clock.ticks());
    if (starts.length === 1) throw new PartialFailure(new Error("one of several"), 300);
    throw new Error("all");
  };
  const errors: unknown[] = [];
  const log = { error: ({ err }: { err: unknown }) => errors.push(err), warn() {} };
  const running = runLoops(
    [{ name: "first", shared: false, periodMs: 1_000, restMs: 0, topics: [], run }],
    {
      clock,
      notifier: new Notifier(),
      log: log as never,
      leaderships: { mine: async () => true },
    },
  );
  await clock.advance(1_400);
  await running.stop();
  assert.deepEqual(starts, [0, 300, 1_300]);
  assert.deepEqual(errors.map(String), ["Error: one of several", "Error: all"]);
});

test("a notification starts a pass after what waited for the same commit", async () => {
  const clock = new VirtualClock();
  const notifier = new Notifier();
  const order: string[] = [];
  const run = async () => {
    order.push("pass");
    return null;
  };
  const running = runLoops(
    [{ name: "first", shared: false, periodMs: 1_000, restMs: 0, topics: ["fleet"], run }],
    {
      clock,
      notifier,
      log: pino({ level: "silent" }),
      leaderships: { mine: async () => true },
    },
  );
  await clock.advance(10);
  const answer = async () => {
    for (let hop = 0; hop < 100; hop++) await null;
    order.push("answer");
  };
  const answered = answer();
  notifier.notify("fleet");
  await answered;
  await clock.advance(10);
  await running.stop();
  assert.deepEqual(order, ["pass", "answer", "pass"]);
});
