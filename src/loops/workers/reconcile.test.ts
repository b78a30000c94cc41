// How the reconcile loop judges workers over a time in which the service itself was away, and that a
// command which fails is tried again.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import pino from "pino";
import { Fixture } from "../../../test/conformance/store/fixture.ts";
import { bareInventory } from "../../../test/fixtures/bare-machine.ts";
import { runLoopFor } from "../../../test/fixtures/loop-runner.ts";
import { VirtualClock } from "../../base/clock.ts";
import { Vault } from "../../base/vault.ts";
import { documented } from "../../domain/protocol.ts";
import { isEndedWorker } from "../../domain/worker/worker.ts";
import { type Driver, type Observation, StartRefused } from "../../drivers/driver.ts";
import { openSqlite } from "../../store/engine/sqlite/open.ts";
import { findWorker } from "../../store/worker/worker.ts";
import { endJob } from "../../transactions/job/end.ts";
import { markStarted } from "../../transactions/worker/observe.ts";
import { recordSign } from "../../transactions/worker/record-sign.ts";
import { requestWorkerEnd } from "../../transactions/worker/request-end.ts";
import { Busy } from "../engine/busy-workloads.ts";
import { reconcileLoop } from "./reconcile.ts";

const running: Observation = {
  id: "w",
  state: "running",
  startedAt: 0,
  endedAt: null,
  exitCode: null,
  signal: null,
};

async function begin(t: TestContext, drivers: Driver[] = []) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-reconcile-"));
  const fixture = await Fixture.set(async () => openSqlite(path.join(folder, "freehold.db")), t);
  t.after(async () => {
    await fixture.store.close();
    rmSync(folder, { recursive: true });
  });
  const clock = new VirtualClock(fixture.now);
  const { store } = fixture;
  const log = pino({ level: "silent" });
  const fixed = {
    busy: new Busy(log, () => {}),
    vault: new Vault("00".repeat(32)),
    workerSecret: () => "secret",
    originFor: async () => "http://127.0.0.1:1",
    machine: "m",
    inventory: bareInventory,
  };
  const open = () => reconcileLoop({ store, clock, log, protocol: documented, drivers, ...fixed });
  const worker = async (id = "w") => (await store.read(findWorker, id))!;
  return { fixture, clock, open, worker };
}

test("a worker is silent only for the time in which it could have called", async (t) => {
  const { fixture, clock, open, worker } = await begin(t);
  await fixture.store.write(markStarted, "w", clock.now());
  await fixture.store.write(recordSign, "w", { ready: true, pingVersion: "1.12.0" }, clock.now());
  await clock.advance(3_600_000);
  const loop = open();
  await runLoopFor(clock, loop, documented.silentMs - 1);
  assert.equal((await worker()).desired, "run");
  await runLoopFor(clock, loop, 1);
  const { desired, unhealthy } = await worker();
  assert.deepEqual([desired, unhealthy], ["end", "it has been silent for 60 s"]);
});

test("a worker's startup time restarts with the service", async (t) => {
  const { fixture, clock, open, worker } = await begin(t);
  await fixture.store.write(markStarted, "w", clock.now());
  await clock.advance(documented.startupMs);
  const loop = open();
  await loop.run();
  assert.equal((await worker()).desired, "run");
  await runLoopFor(clock, loop, documented.startupMs);
  assert.equal((await worker()).desired, "end");
});

test("a failed command affects no other worker and is retried", async (t) => {
  let stops = 0;
  const driver = {
    name: "none",
    list: async () => [running],
    onChange: () => () => {},
    stop: async () => {
      stops++;
      throw new Error("the engine is away");
    },
  } as unknown as Driver;
  const { fixture, clock, open } = await begin(t, [driver]);
  const loop = open();
  await fixture.store.write(requestWorkerEnd, "w", "end", "law", clock.now());
  for (const expected of [1, 2]) {
    await loop.run();
    // The store's sync keeps its own time.
    while (stops < expected) await clock.advance(documented.endingHoldMs);
    assert.equal(stops, expected);
  }
});

test("a worker that continues a job that it must stop has a short grace period", async (t) => {
  const graces: number[] = [];
  const driver = {
    name: "none",
    list: async () => [running],
    onChange: () => () => {},
    stop: async (_id: string, graceMs: number) => graces.push(graceMs),
  } as unknown as Driver;
  const { fixture, clock, open } = await begin(t, [driver]);
  const id = await fixture.submit();
  await fixture.claim();
  await fixture.store.write(endJob, id, { event: "cancel", error: "no" }, clock.now());
  await fixture.store.write(requestWorkerEnd, "w", "end", "test", clock.now());
  await open().run();
  while (graces.length === 0) await clock.advance(documented.endingHoldMs);
  assert.deepEqual(graces, [documented.stoppedEndGraceMs]);
});

test("an observation of a failing start does not decide how its worker ended", async (t) => {
  const failed: Observation = {
    id: "w",
    state: "ended",
    startedAt: 0,
    endedAt: 0,
    exitCode: 126,
    signal: null,
  };
  let observations: Observation[] = [];
  let fail: (error: Error) => void = () => {};
  const driver = {
    name: "none",
    list: async () => observations,
    onChange: () => () => {},
    start: () =>
      new Promise((_, reject) => {
        fail = reject;
        observations = [failed];
      }),
  } as unknown as Driver;
  const { open, worker } = await begin(t, [driver]);
  const loop = open();
  await loop.run();
  while (observations.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await loop.run();
  assert.equal((await worker()).observed, "new");
  fail(new StartRefused("it cannot be executed", "entrypoint_not_executable"));
  while ((await worker()).observed !== "ended")
    await new Promise((resolve) => setImmediate(resolve));
  const ended = await worker();
  assert.ok(isEndedWorker(ended));
  assert.deepEqual([ended.endCause, ended.exitCode], ["entrypoint_not_executable", null]);
});

test("a worker whose end is requested while it starts is stopped, and its end is recorded", async (t) => {
  let observations: Observation[] = [];
  let stopRequested = false;
  let come = () => {};
  let stopped = 0;
  const driver = {
    name: "none",
    list: async () => observations,
    onChange: () => () => {},
    start: () =>
      new Promise<void>((resolve) => {
        stopRequested = true;
        come = resolve;
      }),
    // One that cannot cut a start short.
    stop: async () => {
      if (observations.length === 0) return;
      stopped++;
      observations = [];
    },
  } as unknown as Driver;
  const { fixture, clock, open, worker } = await begin(t, [driver]);
  const loop = open();
  await loop.run();
  while (!stopRequested) await new Promise((resolve) => setImmediate(resolve));
  await fixture.store.write(requestWorkerEnd, "w", "end", "law", clock.now());
  await loop.run();
  assert.equal((await worker()).observed, "new");
  observations = [running];
  come();
  while ((await worker()).observed !== "running") await loop.run();
  while (stopped === 0) {
    await loop.run();
    await clock.advance(documented.endingHoldMs);
  }
  while ((await worker()).observed !== "ended") await loop.run();
});
