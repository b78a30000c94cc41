// Tests of the expire loop's timing, on a real store with a virtual clock.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { Fixture } from "../../../test/conformance/store/fixture.ts";
import { runLoopFor } from "../../../test/fixtures/loop-runner.ts";
import { actAfterRead } from "../../../test/fixtures/loops/act-after-read.ts";
import { VirtualClock } from "../../base/clock.ts";
import { errorOf } from "../../domain/job/job.ts";
import { documented } from "../../domain/protocol.ts";
import { openSqlite } from "../../store/engine/sqlite/open.ts";
import type { Store } from "../../store/engine/store.ts";
import { overdueStops } from "../../store/job/stop.ts";
import { findWorker } from "../../store/worker/worker.ts";
import { endJob } from "../../transactions/job/end.ts";
import { renewLeases } from "../../transactions/job/renew-leases.ts";
import { answerStopPoll } from "../../transactions/job/stops.ts";
import { recordSign } from "../../transactions/worker/record-sign.ts";
import { type Loop, PartialFailure } from "../engine/loop.ts";
import { expireLoop } from "./expire.ts";

const ids = { fraction: () => 0 };

/** A fixture whose worker holds one job and has independent pings, like workers with an SDK. */
async function heldJob(t: TestContext) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-expire-"));
  const fixture = await Fixture.set(async () => openSqlite(path.join(folder, "freehold.db")), t);
  t.after(async () => {
    await fixture.store.close();
    rmSync(folder, { recursive: true });
  });
  const clock = new VirtualClock(fixture.now);
  const id = await fixture.submit({ executionMs: 24 * 3_600_000, ttlMs: 24 * 3_600_000 });
  await fixture.claim();
  /** Advances the time with a pass of the loop, if there is one. */
  const pass = async (ms: number, loop?: Loop) => {
    await (loop ? runLoopFor(clock, loop, ms) : clock.advance(ms));
    fixture.now = clock.now();
  };
  const ping = async (jobs: string[]) => {
    await fixture.store.write(recordSign, "w", { ready: true, pingVersion: "1.12.0" }, fixture.now);
    await fixture.store.write(renewLeases, "w", jobs, fixture.now, documented.leaseMs);
  };
  return { fixture, clock, id, pass, ping };
}

test("a job that cannot be judged does not keep the others from their ends", async (t) => {
  const { fixture, clock, id, pass, ping } = await heldJob(t);
  const other = await fixture.submit();
  await fixture.claim();
  await ping([id, other]);
  const { store } = fixture;
  const { seq } = await fixture.job(id);
  const failing = {
    read: store.read.bind(store),
    write: (transaction: never, ...args: never[]) =>
      (args as { seq?: number }[])[0]?.seq === seq
        ? Promise.reject(new Error("it cannot be judged"))
        : store.write(transaction, ...args),
  } as unknown as Store;
  const loop = expireLoop({ store: failing, clock, ids, protocol: documented });
  await loop.run();
  const passes = { ...loop, run: () => loop.run().catch(unlessPartial) };
  await pass(2 * documented.silentMs, passes);
  assert.equal((await fixture.job(id)).state, "IN_PROGRESS");
  assert.notEqual((await fixture.job(other)).state, "IN_PROGRESS");
});

function unlessPartial(error: unknown): number | null {
  if (error instanceof PartialFailure) return error.again;
  throw error;
}

test("a worker that falls silent loses its job, and after a second loss the job fails", async (t) => {
  const { fixture, clock, id, pass, ping } = await heldJob(t);
  const loop = expireLoop({ store: fixture.store, clock, ids, protocol: documented });
  await ping([id]);
  await pass(documented.silentMs - 1, loop);
  assert.equal(await fixture.state(id), "IN_PROGRESS");
  await pass(1, loop);
  assert.equal(await fixture.state(id), "IN_QUEUE");
  await fixture.claim();
  await pass(documented.silentMs, loop);
  const job = await fixture.job(id);
  assert.deepEqual(
    [job.state, errorOf(job), job.retries],
    ["FAILED", "job timed out after 1 retries", 1],
  );
});

test("downtime of the service does not count as a worker's silence", async (t) => {
  const { fixture, clock, id, pass, ping } = await heldJob(t);
  await ping([id]);
  await pass(3_600_000); // an hour in which no worker could call
  const loop = expireLoop({ store: fixture.store, clock, ids, protocol: documented });
  await loop.run();
  assert.equal(await fixture.state(id), "IN_PROGRESS");
  await pass(10_000, loop);
  await ping([id]);
  await pass(documented.silentMs - 1, loop);
  assert.equal(await fixture.state(id), "IN_PROGRESS");
});

test("unavailability of the store does not count as a worker's silence", async (t) => {
  const { fixture, id, pass, ping, clock } = await heldJob(t);
  const loop = expireLoop({ store: fixture.store, clock, ids, protocol: documented });
  await ping([id]);
  await pass(4_000, loop);
  await pass(3_600_000); // an hour without a completed pass
  await loop.run();
  await pass(documented.silentMs - 1, loop);
  assert.equal(await fixture.state(id), "IN_PROGRESS");
  await pass(1, loop);
  assert.equal(await fixture.state(id), "IN_QUEUE");
});

test("a worker that lists the job keeps it, one that pings without it loses it", async (t) => {
  const { fixture, clock, id, pass, ping } = await heldJob(t);
  const loop = expireLoop({ store: fixture.store, clock, ids, protocol: documented });
  for (let n = 0; n < 10; n++) {
    await pass(10_000, loop);
    await ping([id]);
    await loop.run();
  }
  assert.equal(await fixture.state(id), "IN_PROGRESS");
  for (let n = 0; n < 4; n++) {
    await pass(10_000, loop);
    await ping([]);
    await loop.run();
  }
  assert.equal(await fixture.state(id), "IN_QUEUE");
});

/** Cancels the job, and answers the worker's open stop poll. */
async function cancelUnder(fixture: Fixture, id: string): Promise<void> {
  await fixture.store.write(endJob, id, { event: "cancel", error: "no" }, fixture.now);
  await pollStops(fixture, false);
}

/** A poll of the worker, or another read of the store within a held poll. */
async function pollStops(fixture: Fixture, hasArrived: boolean): Promise<void> {
  const poll = { hasArrived, repeatBefore: 0 };
  await fixture.store.write(answerStopPoll, "w", poll, fixture.now);
}

async function desired({ store }: Fixture): Promise<string | undefined> {
  return (await store.read(findWorker, "w"))?.desired;
}

test("a worker whose handler blocks does not poll for stops again, and is ended soon", async (t) => {
  const { fixture, clock, id, pass } = await heldJob(t);
  const loop = expireLoop({ store: fixture.store, clock, ids, protocol: documented });
  await cancelUnder(fixture, id);
  await pass(documented.stopGraceMs - 1, loop);
  assert.equal(await desired(fixture), "run");
  await pass(1, loop);
  assert.equal(await desired(fixture), "end");
});

test("a worker that has heard of a stop has longer to leave the job", async (t) => {
  const { fixture, clock, id, pass, ping } = await heldJob(t);
  const loop = expireLoop({ store: fixture.store, clock, ids, protocol: documented });
  await cancelUnder(fixture, id);
  await pollStops(fixture, true);
  await pass(documented.stopHeardGraceMs - 1, loop);
  assert.equal(await desired(fixture), "run");
  await ping([]);
  await pass(documented.stopHeardGraceMs, loop);
  assert.equal(await desired(fixture), "run");
});

test("a worker that has received a stop and continues the job is ended", async (t) => {
  const { fixture, clock, id, pass, ping } = await heldJob(t);
  const loop = expireLoop({ store: fixture.store, clock, ids, protocol: documented });
  await cancelUnder(fixture, id);
  await pollStops(fixture, true);
  await pass(documented.stopHeardGraceMs - 1, loop);
  await ping([id]);
  await pass(1, loop);
  assert.equal(await desired(fixture), "end");
});

test("a worker that leaves the job after the pass has read the stop goes on, and so does one that hears it", async (t) => {
  for (const isLeaving of [true, false]) {
    const { fixture, clock, id, pass, ping } = await heldJob(t);
    await cancelUnder(fixture, id);
    await pass(documented.stopGraceMs);
    const react = () => (isLeaving ? ping([]) : pollStops(fixture, true));
    const store = actAfterRead(fixture.store, overdueStops, react);
    await expireLoop({ store, clock, ids, protocol: documented }).run();
    assert.equal(await desired(fixture), "run");
  }
});

test("a handler that blocks frees its worker within ten seconds of the cancel", () => {
  const { stopGraceMs, endingHoldMs, stoppedEndGraceMs } = documented;
  const passMs = expireLoop({ ...notUsed, protocol: documented }).periodMs;
  assert.ok(stopGraceMs + passMs + endingHoldMs + stoppedEndGraceMs < 10_000);
});

const notUsed = { store: null as never, ids, clock: new VirtualClock(0) };
