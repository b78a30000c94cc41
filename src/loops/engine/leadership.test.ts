// Shared loops of two replicas on one store: one live replica does the work.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import pino from "pino";
import { bareInventory } from "../../../test/fixtures/bare-machine.ts";
import { VirtualClock } from "../../base/clock.ts";
import { heartbeatTimingOf } from "../../domain/replica/heartbeat-timing.ts";
import { openSqlite } from "../../store/engine/sqlite/open.ts";
import { dropLeaderships } from "../../store/leadership/leadership.ts";
import { heartbeatLoop } from "../machines/heartbeat.ts";
import { Leaderships } from "./leadership.ts";
import { type Loop, runLoops } from "./loop.ts";

const heartbeatTiming = heartbeatTimingOf(1_000);
const log = pino({ level: "silent" });

function begin(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-leadership-"));
  const store = openSqlite(path.join(folder, "freehold.db"));
  const clock = new VirtualClock();
  const passes: string[] = [];
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const replica = (id: string) => {
    const leaderships = new Leaderships({ store, clock, heartbeatTiming, replicaId: id });
    const own = { id, machine: id, drivers: [], address: "", inventory: bareInventory };
    const shared: Loop = {
      name: "work",
      shared: true,
      periodMs: 500,
      restMs: 10,
      topics: [],
      async run() {
        passes.push(id);
        return null;
      },
    };
    const heartbeats = heartbeatLoop({
      store,
      clock,
      heartbeatTiming,
      replica: own,
      leaderships,
      isMachineSilent: () => false,
      refreshMachines: async () => {},
      onReplaced: () => assert.fail("another replica has the machine"),
    });
    return {
      leaderships,
      running: runLoops([heartbeats, shared], {
        clock,
        notifier: store.notifier,
        log,
        leaderships,
      }),
    };
  };
  /** The store's sync takes time of its own, so time passes in small steps. */
  const pass = async (ms: number) => {
    for (let n = 0; n < ms; n += 100) {
      await clock.advance(100);
      await store.write(nothing);
    }
  };
  const workedIn = async (ms: number) => {
    passes.length = 0;
    await pass(ms);
    return [...new Set(passes)].join();
  };
  return { clock, store, replica, workedIn };
}

function* nothing() {}

test("a leadership whose holder died before the clock was set back is soon free", async (t) => {
  const { clock, replica, workedIn } = begin(t);
  const a = replica("a");
  assert.equal(await workedIn(2_000), "a");
  await a.running.stop();
  clock.step(-3_600_000);
  replica("b");
  assert.equal(await workedIn(heartbeatTiming.leaseMs), "b");
});

test("one of two replicas does the work, and keeps doing it", async (t) => {
  const { replica, workedIn } = begin(t);
  const a = replica("a");
  assert.equal(await workedIn(1_000), "a");
  const b = replica("b");
  assert.equal(await workedIn(30_000), "a");
  await Promise.all([a.running.stop(), b.running.stop()]);
});

test("a replica that stops hands its work over at once", async (t) => {
  const { store, replica, workedIn } = begin(t);
  const a = replica("a");
  await workedIn(1_000);
  const b = replica("b");
  await workedIn(1_000);
  await a.running.stop();
  await store.write(dropLeaderships, "a");
  assert.equal(await workedIn(200), "b");
  await b.running.stop();
});

test("the work of a dead replica is taken over after its lease expires", async (t) => {
  const { replica, workedIn } = begin(t);
  const a = replica("a");
  await workedIn(1_000);
  const b = replica("b");
  await workedIn(1_000);
  await a.running.stop(); // without dropping its leadership
  assert.equal(await workedIn(3_500), "");
  assert.equal(await workedIn(3_000), "b");
  await b.running.stop();
});
