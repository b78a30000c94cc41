// The loop engine: its loops stop together.

import assert from "node:assert/strict";
import { test } from "node:test";
import pino from "pino";
import { VirtualClock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import { Notifier } from "../../store/engine/notifier.ts";
import { type Loop, runLoops } from "./loop.ts";

test("a loop that cannot finish does not keep the others from finishing", async () => {
  const finished: string[] = [];
  const loop = (name: string, finish: Loop["finish"]): Loop => ({
    ...{ name, shared: false, periodMs: 1_000, restMs: 0, topics: [], finish },
    run: async () => null,
  });
  const clock = new VirtualClock();
  const running = runLoops(
    [
      loop("first", () => Promise.reject(new Fault("store_unavailable"))),
      loop("second", async () => void finished.push("second")),
    ],
    {
      ...{ clock, notifier: new Notifier(), log: pino({ level: "silent" }) },
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
      ...{ clock, notifier: new Notifier(), log: pino({ level: "silent" }) },
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
      assert.equal(passes - before, 10, `after a step of ${stepMs} ms`);
    }
  }
  await clock.advance(50);
  await running.stop();
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
      ...{ clock, notifier, log: pino({ level: "silent" }) },
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
