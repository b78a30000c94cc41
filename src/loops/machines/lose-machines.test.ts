// Which machines are given up: those of others that are silent, never the one that looks.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import pino from "pino";
import { Fixture } from "../../../test/conformance/store/fixture.ts";
import { runLoopFor } from "../../../test/fixtures/loop-runner.ts";
import { VirtualClock } from "../../base/clock.ts";
import { documented } from "../../domain/protocol.ts";
import { heartbeatTimingOf } from "../../domain/replica/heartbeat-timing.ts";
import { openSqlite } from "../../store/engine/sqlite/open.ts";
import { findWorker } from "../../store/worker/worker.ts";
import { machinesLoop } from "./lose-machines.ts";

for (const own of [true, false]) {
  test(`a machine that is silent, ${own ? "the own" : "another"} one`, async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), "freehold-machines-"));
    const fixture = await Fixture.set(async () => openSqlite(path.join(folder, "freehold.db")), t);
    t.after(async () => {
      await fixture.store.close();
      rmSync(folder, { recursive: true });
    });
    const { store } = fixture;
    const clock = new VirtualClock(fixture.now);
    const { machine } = (await store.read(findWorker, "w"))!;
    const log = pino({ level: "silent" });
    const heartbeatTiming = heartbeatTimingOf(documented.heartbeatMs);
    const around = { store, clock, log, protocol: documented, heartbeatTiming };
    const loop = machinesLoop({ ...around, isHere: (id) => own && id === machine });
    await runLoopFor(clock, loop, 2 * documented.machineLostMs);
    assert.equal((await store.read(findWorker, "w"))!.observed, own ? "new" : "ended");
  });
}
