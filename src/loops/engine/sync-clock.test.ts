// A replica's clock follows the database's, wherever that one is set.

import assert from "node:assert/strict";
import { test } from "node:test";
import pino from "pino";
import { VirtualClock } from "../../base/clock.ts";
import { DisciplinedClock } from "../../base/disciplined-clock.ts";
import { Notifier } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { runLoops } from "./loop.ts";
import { keepTimeLoop, measureClock } from "./sync-clock.ts";

const SETTLE_MS = 6_000;

test("a replica follows a database that is set back and forward again", async () => {
  const time = new VirtualClock();
  const ticks = () => time.ticks();
  const store = { time: async () => time.now() } as Store;
  const clock = new DisciplinedClock(ticks, time, (await measureClock(store, ticks))!);
  const running = runLoops([keepTimeLoop({ store, clock, ticks })], {
    clock,
    notifier: new Notifier(),
    log: pino({ level: "silent" }),
    leaderships: { mine: async () => true },
  });
  for (const stepMs of [-300_000, 300_000, -3_600_000, 3_600_000, -8_000, 8_000]) {
    await time.advance(8_000);
    time.step(stepMs);
    await time.advance(SETTLE_MS);
    assert.equal(clock.now(), time.now(), `after a step of ${stepMs} ms`);
  }
  await running.stop();
});
