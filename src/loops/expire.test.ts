// What the expire loop does at which time, on a real store under a clock that the test owns.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { VirtualClock } from "../base/clock.ts";
import { documented } from "../domain/protocol.ts";
import { openSqlite } from "../store/dialect/sqlite/open.ts";
import { renewLeases } from "../store/job/lease.ts";
import { Stage } from "../store/laws/stage.ts";
import { noteSign } from "../store/worker/worker.ts";
import { expireLoop } from "./expire.ts";
import type { Loop } from "./loop.ts";
import { live } from "./turning.testing.ts";

/** A stage whose worker holds one job and pings by itself, as workers written with an SDK do. */
async function heldJob(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-expire-"));
  const stage = await Stage.set(async () => openSqlite(path.join(folder, "freehold.db")), t);
  t.after(async () => {
    await stage.store.close();
    rmSync(folder, { recursive: true });
  });
  const clock = new VirtualClock(stage.now);
  const id = await stage.submit({ executionMs: 24 * 3_600_000, ttlMs: 24 * 3_600_000 });
  await stage.claim();
  /** Time in which the loop comes round, if there is one. */
  const pass = async (ms: number, loop?: Loop) => {
    await (loop ? live(clock, loop, ms) : clock.advance(ms));
    stage.now = clock.now();
  };
  const ping = async (jobs: string[]) => {
    await stage.store.write(noteSign, "w", { ready: true, pingVersion: "1.12.0" }, stage.now);
    await stage.store.write(renewLeases, "w", jobs, stage.now, documented.leaseMs);
  };
  return { stage, clock, id, pass, ping };
}

test("a worker that falls silent loses its job, and the second time the job is given up", async (t) => {
  const { stage, clock, id, pass, ping } = await heldJob(t);
  const loop = expireLoop({ store: stage.store, clock, protocol: documented });
  await ping([id]);
  await pass(documented.silentMs - 1, loop);
  assert.equal(await stage.state(id), "IN_PROGRESS");
  await pass(1, loop);
  assert.equal(await stage.state(id), "IN_QUEUE");
  await stage.claim();
  await pass(documented.silentMs, loop);
  const { state, error, retries } = await stage.job(id);
  assert.deepEqual([state, error, retries], ["FAILED", "job timed out after 1 retries", 1]);
});

test("while the service was away no worker was silent", async (t) => {
  const { stage, clock, id, pass, ping } = await heldJob(t);
  await ping([id]);
  await pass(3_600_000); // an hour in which nobody could call
  const loop = expireLoop({ store: stage.store, clock, protocol: documented });
  await loop.turn();
  assert.equal(await stage.state(id), "IN_PROGRESS");
  await pass(10_000, loop);
  await ping([id]);
  await pass(documented.silentMs - 1, loop);
  assert.equal(await stage.state(id), "IN_PROGRESS");
});

test("while the store was away no worker was silent either", async (t) => {
  const { stage, id, pass, ping, clock } = await heldJob(t);
  const loop = expireLoop({ store: stage.store, clock, protocol: documented });
  await ping([id]);
  await pass(4_000, loop);
  await pass(3_600_000); // an hour without a turn that came to its end
  await loop.turn();
  await pass(documented.silentMs - 1, loop);
  assert.equal(await stage.state(id), "IN_PROGRESS");
  await pass(1, loop);
  assert.equal(await stage.state(id), "IN_QUEUE");
});

test("a worker that lists the job keeps it, one that pings without it loses it", async (t) => {
  const { stage, clock, id, pass, ping } = await heldJob(t);
  const loop = expireLoop({ store: stage.store, clock, protocol: documented });
  for (let n = 0; n < 10; n++) {
    await pass(10_000, loop);
    await ping([id]);
    await loop.turn();
  }
  assert.equal(await stage.state(id), "IN_PROGRESS");
  for (let n = 0; n < 4; n++) {
    await pass(10_000, loop);
    await ping([]);
    await loop.turn();
  }
  assert.equal(await stage.state(id), "IN_QUEUE");
});
