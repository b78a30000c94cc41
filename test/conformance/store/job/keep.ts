// What is kept and for how long: payloads, times to live, retention, and that nothing is left behind by what was
// forgotten.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isEndedJob } from "../../../../src/domain/job/job.ts";
import type { TextToStore } from "../../../../src/domain/payload.ts";
import type { Tx } from "../../../../src/store/engine/statement.ts";
import { archiveSizes } from "../../../../src/store/job/archive/archive.ts";
import { findJob, findKeptJob } from "../../../../src/store/job/find.ts";
import { listJobs } from "../../../../src/store/job/list/list-jobs.ts";
import { dropUnbound, readPiece, writePiece } from "../../../../src/store/payload/payload.ts";
import { endJob, expireQueued } from "../../../../src/transactions/job/end.ts";
import {
  evictArchived,
  forgetArchived,
  forgetEnded,
} from "../../../../src/transactions/job/forget.ts";
import { appendChunk } from "../../../../src/transactions/job/output/append-chunk.ts";
import { retryJob, retryKeptJob } from "../../../../src/transactions/job/retry.ts";
import { setTtl } from "../../../../src/transactions/job/set-ttl.ts";
import { submitJob } from "../../../../src/transactions/job/submit.ts";
import { checkInvariants } from "../contents.ts";
import { Fixture, KEEP_MS, type OpenStore, postOf, TTL_MS } from "../fixture.ts";
import { noFilter } from "./list.ts";

const HOUR_MS = 3_600_000;
const WEEK_MS = 168 * HOUR_MS;

export function retentionConformance(open: OpenStore): void {
  payloadConformance(open);
  ttlConformance(open);
  keepConformance(open);
  archiveConformance(open);
}

/** A text in two pieces; the first is written ahead, the second goes with its row. */
async function longText(fixture: Fixture, id: string): Promise<TextToStore> {
  const first = { id, part: 0, bytes: Buffer.from("first "), totalBytes: 12 };
  await fixture.store.write(writePiece, first, fixture.now);
  return { payload: id, bytes: 12, piece: { part: 1, bytes: Buffer.from("second") } };
}

async function textOf(fixture: Fixture, id: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  for (;;) {
    const piece = await fixture.store.read(readPiece, id, pieces.length);
    if (!piece) return Buffer.concat(pieces).toString();
    pieces.push(piece);
  }
}

function payloadConformance(open: OpenStore): void {
  test("a long text is complete once its row exists, and is never swept", async (t) => {
    const fixture = await Fixture.set(open, t);
    await fixture.submit({ input: await longText(fixture, "p") });
    fixture.now += 2 * HOUR_MS;
    await fixture.store.write(dropUnbound, fixture.now);
    assert.equal(await textOf(fixture, "p"), "first second");
  });

  test("a long text without a row is swept after its deadline, and not before", async (t) => {
    const fixture = await Fixture.set(open, t);
    await longText(fixture, "p");
    assert.equal(await fixture.store.write(dropUnbound, fixture.now), 0);
    assert.equal(await textOf(fixture, "p"), "first ");
    assert.equal(await fixture.store.write(dropUnbound, fixture.now + 1), 1);
    assert.equal(await textOf(fixture, "p"), "");
    assert.equal(await fixture.value("select count(*) from payload"), 0);
  });

  test("a failed insert keeps no text", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit();
    const input = await longText(fixture, "p");
    await assert.rejects(fixture.store.write(submitJob, fixture.newJob({ id, input })));
    assert.equal(await fixture.value("select bound from payload where id = 'p'"), 0);
    assert.equal(await textOf(fixture, "p"), "first ");
  });
}

function ttlConformance(open: OpenStore): void {
  test("queued jobs past their time to live end TIMED_OUT, the longest overdue first", async (t) => {
    const fixture = await Fixture.set(open, t);
    const [usual, short, week] = [TTL_MS, TTL_MS / 2, 168 * HOUR_MS];
    const ids: string[] = [];
    for (const ttlMs of [usual, week, short]) ids.push(await fixture.submit({ ttlMs }));
    const states = () => Promise.all(ids.map((id) => fixture.state(id)));
    fixture.now += TTL_MS - 1;
    assert.equal(await fixture.store.write(expireQueued, fixture.now, 10), 1);
    assert.deepEqual(await states(), ["IN_QUEUE", "IN_QUEUE", "TIMED_OUT"]);
    fixture.now += 1;
    assert.equal(await fixture.store.write(expireQueued, fixture.now, 10), 1);
    assert.deepEqual(await states(), ["TIMED_OUT", "IN_QUEUE", "TIMED_OUT"]);
  });

  test("a time to live that is set counts from submission", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit();
    fixture.now += 5_000;
    await fixture.store.write(setTtl, id, 6_000, fixture.now);
    fixture.now += 1_000;
    assert.equal(await fixture.store.write(expireQueued, fixture.now, 10), 1);
    assert.equal(await fixture.state(id), "TIMED_OUT");
  });

  test("a time to live set in the batch that ends the job does not shorten its retention", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit();
    await fixture.claim();
    fixture.now += 30_000;
    await Promise.all([fixture.finish(id), fixture.store.write(setTtl, id, 40_000, fixture.now)]);
    const job = await fixture.job(id);
    assert.ok(isEndedJob(job));
    assert.equal(job.forgetAt, fixture.now + 40_000);
  });
}

function keepConformance(open: OpenStore): void {
  test("an ended job is deleted completely after its retention", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit({ input: await longText(fixture, "in"), webhook: "http://x" });
    await fixture.claim();
    await fixture.store.write(appendChunk, postOf(id), { output: "1", metrics: null }, 1, 0);
    await fixture.requeue(id);
    await fixture.store.write(endJob, id, { event: "cancel", error: "no" }, fixture.now);
    await fixture.finish(id);
    await fixture.value("select 1");
    fixture.now += KEEP_MS - 1;
    assert.equal(await fixture.store.write(forgetEnded, fixture.now, 10), 0);
    fixture.now += 1;
    await fixture.store.write(settleDeliveries);
    assert.equal(await fixture.store.write(forgetEnded, fixture.now, 10), 1);
    for (const table of LEFT_BY_JOBS) {
      assert.equal(await fixture.value(`select count(*) from ${table}`), 0, `${table} keeps rows`);
    }
  });

  test("from the instant its retention is over a job is hidden and cannot be changed", async (t) => {
    const fixture = await Fixture.set(open, t);
    const { store } = fixture;
    const id = await fixture.submit();
    await fixture.claim();
    await fixture.finish(id, { error: "no" });
    const filter = { ...noFilter, archived: false, limit: 10 };
    const listed = async (now: number) => (await store.read(listJobs, { ...filter, now })).length;
    const lastMs = fixture.now + KEEP_MS - 1;
    assert.equal((await store.read(findJob, id, lastMs))?.id, id);
    assert.equal(await listed(lastMs), 1);
    const over = lastMs + 1;
    assert.equal(await store.read(findJob, id, over), undefined);
    assert.equal(await listed(over), 0);
    await store.write(setTtl, id, 10 * KEEP_MS, over);
    const refusal = await store.write(retryJob, id, "e", over);
    assert.equal(refusal?.code, "job_not_found");
    assert.equal(await store.write(forgetEnded, over, 10), 1);
  });

  test("the number of a deleted job is never reused", async (t) => {
    const fixture = await Fixture.set(open, t);
    const first = await fixture.submit();
    const { seq } = await fixture.job(first);
    await fixture.store.write(endJob, first, { event: "cancel", error: "no" }, fixture.now);
    fixture.now += KEEP_MS;
    await fixture.store.write(forgetEnded, fixture.now, 10);
    const second = await fixture.submit();
    assert.ok((await fixture.job(second)).seq > seq);
  });
}

function archiveConformance(open: OpenStore): void {
  test("a failure is archived after its retention: hidden from its queue, kept with all it has, and retried by its owner", async (t) => {
    const fixture = await Fixture.set(open, t);
    const { store } = fixture;
    const [failed, completed] = [
      await fixture.submit({ input: await longText(fixture, "in") }),
      await fixture.submit(),
    ];
    await fixture.claim(2);
    await fixture.finish(failed, { error: "no" });
    await fixture.finish(completed);
    const until = fixture.now + WEEK_MS;
    fixture.now += KEEP_MS;
    assert.equal(await store.write(forgetEnded, fixture.now, 10), 2);
    assert.equal(await store.write(forgetEnded, fixture.now, 10), 0);
    assert.equal(await store.read(findJob, failed, fixture.now), undefined);
    assert.equal((await store.write(retryJob, failed, "e", fixture.now))?.code, "job_not_found");
    assert.equal(await fixture.finish(failed), "unknown");
    assert.equal(await store.read(findKeptJob, completed, fixture.now), undefined);
    const archived = await store.read(findKeptJob, failed, fixture.now);
    assert.ok(archived && isEndedJob(archived));
    assert.equal(archived.archivedUntil, until);
    assert.equal(await textOf(fixture, "in"), "first second");
    assert.equal(await listedKept(fixture), 1);
    await checkInvariants(fixture);
    assert.equal(await store.write(retryKeptJob, failed, fixture.now), null);
    assert.equal((await fixture.job(failed)).state, "IN_QUEUE");
    await checkInvariants(fixture);
    assert.deepEqual(await fixture.claim(), [failed]);
  });

  test("an archived job is deleted completely at the end of its time, or when room is needed", async (t) => {
    const fixture = await Fixture.set(open, t);
    const { store } = fixture;
    const ids = [
      await fixture.submit({ input: await longText(fixture, "in") }),
      await fixture.submit(),
    ];
    await fixture.claim(2);
    for (const id of ids) await fixture.finish(id, { error: "no" });
    fixture.now += KEEP_MS;
    await store.write(forgetEnded, fixture.now, 10);
    const [size] = await store.read(archiveSizes);
    assert.deepEqual([size?.accountId, size?.endpointId, size?.isDeleted], ["account", "e", false]);
    assert.equal(await store.write(evictArchived, "e", 1), 1);
    assert.equal(await store.read(findKeptJob, ids[0]!, fixture.now), undefined);
    await checkInvariants(fixture);
    fixture.now += WEEK_MS - KEEP_MS - 1;
    assert.equal(await store.write(forgetArchived, fixture.now, 10), 0);
    assert.equal(await listedKept(fixture), 1);
    fixture.now += 1;
    assert.equal(await listedKept(fixture), 0);
    assert.equal(await store.write(forgetArchived, fixture.now, 10), 1);
    for (const table of LEFT_BY_JOBS) {
      assert.equal(await fixture.value(`select count(*) from ${table}`), 0, `${table} keeps rows`);
    }
    assert.deepEqual(await store.read(archiveSizes), []);
  });
}

async function listedKept({ store, now }: Fixture): Promise<number> {
  return (await store.read(listJobs, { ...noFilter, now })).length;
}

const LEFT_BY_JOBS =
  "job attempt chunk late_post delivery delivery_try payload payload_piece".split(" ");

function* settleDeliveries(): Tx<void> {
  yield { sql: "update delivery set state = 'failed'", params: [], rows: false };
}
