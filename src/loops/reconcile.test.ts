// How the reconcile loop judges workers over a time in which the service itself was away, and that a
// command which fails is tried again.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import pino from "pino";
import { VirtualClock } from "../base/clock.ts";
import { Vault } from "../base/vault.ts";
import { bareInventory } from "../domain/machine/bare.testing.ts";
import { documented } from "../domain/protocol.ts";
import { type Driver, type Sighting, StartRefused } from "../drivers/driver.ts";
import { openSqlite } from "../store/dialect/sqlite/open.ts";
import { Stage } from "../store/laws/stage.ts";
import { findWorker, markStarted, noteSign, wantEnd } from "../store/worker/worker.ts";
import { Busy } from "./busy.ts";
import { reconcileLoop } from "./reconcile.ts";
import { live } from "./turning.testing.ts";

const running: Sighting = {
  id: "w",
  state: "running",
  startedAt: 0,
  endedAt: null,
  exitCode: null,
  signal: null,
};

async function begin(t: TestContext, drivers: Driver[] = []) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-reconcile-"));
  const stage = await Stage.set(async () => openSqlite(path.join(folder, "freehold.db")), t);
  t.after(async () => {
    await stage.store.close();
    rmSync(folder, { recursive: true });
  });
  const clock = new VirtualClock(stage.now);
  const { store } = stage;
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
  return { stage, clock, open, worker };
}

test("a worker is silent only for the time in which it could have called", async (t) => {
  const { stage, clock, open, worker } = await begin(t);
  await stage.store.write(markStarted, "w", clock.now());
  await stage.store.write(noteSign, "w", { ready: true, pingVersion: "1.12.0" }, clock.now());
  await clock.advance(3_600_000);
  const loop = open();
  await live(clock, loop, documented.silentMs - 1);
  assert.equal((await worker()).desired, "run");
  await live(clock, loop, 1);
  const { desired, unhealthy } = await worker();
  assert.deepEqual([desired, unhealthy], ["end", "it has been silent for 60 s"]);
});

test("a worker's time to come up begins anew with the service", async (t) => {
  const { stage, clock, open, worker } = await begin(t);
  await stage.store.write(markStarted, "w", clock.now());
  await clock.advance(documented.startupMs);
  const loop = open();
  await loop.turn();
  assert.equal((await worker()).desired, "run");
  await live(clock, loop, documented.startupMs);
  assert.equal((await worker()).desired, "end");
});

test("a command that fails harms nobody and is tried again", async (t) => {
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
  const { stage, clock, open } = await begin(t, [driver]);
  const loop = open();
  await stage.store.write(wantEnd, "w", "end", "law", clock.now());
  for (const expected of [1, 2]) {
    await loop.turn();
    // The store's sync keeps its own time.
    while (stops < expected) await clock.advance(documented.endingHoldMs);
    assert.equal(stops, expected);
  }
});

test("what is seen of a start that fails is not how its worker ended", async (t) => {
  const failed: Sighting = {
    id: "w",
    state: "ended",
    startedAt: 0,
    endedAt: 0,
    exitCode: 126,
    signal: null,
  };
  let there: Sighting[] = [];
  let fail: (error: Error) => void = () => {};
  const driver = {
    name: "none",
    list: async () => there,
    onChange: () => () => {},
    start: () =>
      new Promise((_, reject) => {
        fail = reject;
        there = [failed];
      }),
  } as unknown as Driver;
  const { open, worker } = await begin(t, [driver]);
  const loop = open();
  await loop.turn();
  while (there.length === 0) await new Promise((resolve) => setImmediate(resolve));
  await loop.turn();
  assert.equal((await worker()).observed, "new");
  fail(new StartRefused("it cannot be executed", "entrypoint_not_executable"));
  while ((await worker()).observed !== "ended")
    await new Promise((resolve) => setImmediate(resolve));
  const { end_cause, exit_code } = await worker();
  assert.deepEqual([end_cause, exit_code], ["entrypoint_not_executable", null]);
});

test("a worker that is wanted no more while it starts is ended, and not forgotten", async (t) => {
  let there: Sighting[] = [];
  let asked = false;
  let come = () => {};
  let stopped = 0;
  const driver = {
    name: "none",
    list: async () => there,
    onChange: () => () => {},
    start: () =>
      new Promise<void>((resolve) => {
        asked = true;
        come = resolve;
      }),
    // One that cannot cut a start short.
    stop: async () => {
      if (there.length === 0) return;
      stopped++;
      there = [];
    },
  } as unknown as Driver;
  const { stage, clock, open, worker } = await begin(t, [driver]);
  const loop = open();
  await loop.turn();
  while (!asked) await new Promise((resolve) => setImmediate(resolve));
  await stage.store.write(wantEnd, "w", "end", "law", clock.now());
  await loop.turn();
  assert.equal((await worker()).observed, "new");
  there = [running];
  come();
  while ((await worker()).observed !== "running") await loop.turn();
  while (stopped === 0) {
    await loop.turn();
    await clock.advance(documented.endingHoldMs);
  }
  while ((await worker()).observed !== "ended") await loop.turn();
});
