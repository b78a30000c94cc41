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
