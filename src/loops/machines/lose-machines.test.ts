// Which machines are given up: those of others that are silent, never the one that looks.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import pino from "pino";
import { Fixture } from "../../../test/conformance/store/fixture.ts";
import { gpuMachine, moveOf } from "../../../test/conformance/store/pod/pod.ts";
import { runPod } from "../../../test/conformance/store/pod/unseen-end.ts";
import { bareInventory } from "../../../test/fixtures/bare-machine.ts";
import { runLoopFor } from "../../../test/fixtures/loop-runner.ts";
import { VirtualClock } from "../../base/clock.ts";
import { documented } from "../../domain/protocol.ts";
import { heartbeatTimingOf } from "../../domain/replica/heartbeat-timing.ts";
import { openSqlite } from "../../store/engine/sqlite/open.ts";
import { ratesOf } from "../../store/usage/usage.ts";
import { findWorker } from "../../store/worker/worker.ts";
import { enterReplica } from "../../transactions/replica/membership.ts";
import { machinesLoop } from "./lose-machines.ts";

test("a machine that fell silent before the clock was set back is lost as soon as any other", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-machines-"));
  const fixture = await Fixture.set(async () => openSqlite(path.join(folder, "freehold.db")), t);
  t.after(async () => {
    await fixture.store.close();
    rmSync(folder, { recursive: true });
  });
  const { store } = fixture;
  const clock = new VirtualClock(fixture.now);
  const { machine } = (await store.read(findWorker, "w"))!;
  const replica = { id: "r", machine, drivers: [], address: "", inventory: bareInventory };
  await store.write(enterReplica, replica, clock.now());
  clock.step(-3_600_000);
  const heartbeatTiming = heartbeatTimingOf(documented.heartbeatMs);
  const around = { store, clock, log: pino({ level: "silent" }), heartbeatTiming };
  const loop = machinesLoop({ ...around, protocol: documented, isHere: () => false });
  await runLoopFor(clock, loop, 2 * documented.machineLostMs);
  assert.equal((await store.read(findWorker, "w"))!.observed, "ended");
});

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

test("a Pod that is deleted after its machine died is billed until then", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-machines-"));
  const fixture = await Fixture.set(async () => openSqlite(path.join(folder, "freehold.db")), t);
  t.after(async () => {
    await fixture.store.close();
    rmSync(folder, { recursive: true });
  });
  const { store } = fixture;
  const clock = new VirtualClock(fixture.now);
  const startedAt = clock.now();
  await gpuMachine(store, "far", startedAt);
  await runPod(store, "p", startedAt);
  await store.write(moveOf, "p", "delete", startedAt + 1_000);
  const heartbeatTiming = heartbeatTimingOf(documented.heartbeatMs);
  const around = { store, clock, log: pino({ level: "silent" }), heartbeatTiming };
  const loop = machinesLoop({ ...around, protocol: documented, isHere: () => false });
  await runLoopFor(clock, loop, 2 * documented.machineLostMs);
  const ends = (await store.read(ratesOf, "p")).map(({ endedAt }) => endedAt);
  assert.deepEqual(ends, [startedAt + 1_000]);
});
