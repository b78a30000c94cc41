// Which machines are given up: those of others that are silent, never the one that looks.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import pino from "pino";
import { VirtualClock } from "../base/clock.ts";
import { documented } from "../domain/protocol.ts";
import { rhythmOf } from "../domain/replica/rhythm.ts";
import { openSqlite } from "../store/dialect/sqlite/open.ts";
import { Stage } from "../store/laws/stage.ts";
import { findWorker } from "../store/worker/worker.ts";
import { machinesLoop } from "./machines.ts";
import { live } from "./turning.testing.ts";

for (const own of [true, false]) {
  test(`a machine that is silent, ${own ? "the own" : "another"} one`, async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), "freehold-machines-"));
    const stage = await Stage.set(async () => openSqlite(path.join(folder, "freehold.db")), t);
    t.after(async () => {
      await stage.store.close();
      rmSync(folder, { recursive: true });
    });
    const { store } = stage;
    const clock = new VirtualClock(stage.now);
    const { machine } = (await store.read(findWorker, "w"))!;
    const log = pino({ level: "silent" });
    const rhythm = rhythmOf(documented.beatMs);
    const around = { store, clock, log, protocol: documented, rhythm };
    const loop = machinesLoop({ ...around, own: own ? machine : "another" });
    await live(clock, loop, 2 * documented.machineLostMs);
    assert.equal((await store.read(findWorker, "w"))!.observed, own ? "new" : "ended");
  });
}
