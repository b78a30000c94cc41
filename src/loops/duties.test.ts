// Shared loops of two replicas on one store: their work is done once, whoever is alive.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import pino from "pino";
import { VirtualClock } from "../base/clock.ts";
import { bareInventory } from "../domain/machine/bare.testing.ts";
import { rhythmOf } from "../domain/replica/rhythm.ts";
import { openSqlite } from "../store/dialect/sqlite/open.ts";
import { beatLoop } from "./beat.ts";
import { Duties } from "./duties.ts";
import { type Loop, runLoops } from "./loop.ts";

const rhythm = rhythmOf(1_000);
const log = pino({ level: "silent" });

function begin(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-duties-"));
  const store = openSqlite(path.join(folder, "freehold.db"));
  const clock = new VirtualClock();
  const turns: string[] = [];
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const replica = (id: string) => {
    const duties = new Duties({ store, clock, rhythm, replicaId: id });
    const own = { id, machine: id, drivers: [], address: "", inventory: bareInventory };
    const shared: Loop = {
      name: "work",
      shared: true,
      periodMs: 500,
      restMs: 10,
      topics: [],
      async turn() {
        turns.push(id);
        return null;
      },
    };
    const look = async () => {};
    const beats = beatLoop({ store, clock, rhythm, replica: own, duties, look });
    return {
      duties,
      running: runLoops([beats, shared], { clock, wakes: store.wakes, log, duties }),
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
    turns.length = 0;
    await pass(ms);
    return [...new Set(turns)].join();
  };
  return { replica, workedIn };
}

function* nothing() {}

test("one of two replicas does the work, and goes on doing it", async (t) => {
  const { replica, workedIn } = begin(t);
  const a = replica("a");
  assert.equal(await workedIn(1_000), "a");
  const b = replica("b");
  assert.equal(await workedIn(30_000), "a");
  await Promise.all([a.running.stop(), b.running.stop()]);
});

test("a replica that goes hands its work over at once", async (t) => {
  const { replica, workedIn } = begin(t);
  const a = replica("a");
  await workedIn(1_000);
  const b = replica("b");
  await workedIn(1_000);
  await a.running.stop();
  await a.duties.drop();
  assert.equal(await workedIn(200), "b");
  await b.running.stop();
});

test("the work of a replica that is no more is taken over after its lease", async (t) => {
  const { replica, workedIn } = begin(t);
  const a = replica("a");
  await workedIn(1_000);
  const b = replica("b");
  await workedIn(1_000);
  await a.running.stop(); // and lets go of nothing
  assert.equal(await workedIn(3_500), "");
  assert.equal(await workedIn(3_000), "b");
  await b.running.stop();
});
