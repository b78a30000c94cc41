// Laws of what is kept and for how long: payloads, times to live, retention, answers under an
// Idempotency-Key, and that nothing is left behind by what was forgotten.

import assert from "node:assert/strict";
import { test } from "node:test";
import { doOnce, forgetAnswers, KEPT_MS } from "../idempotency.ts";
import { appendChunk } from "../job/chunk.ts";
import { expireQueued, forgetEnded, setTtl } from "../job/due.ts";
import { endJob } from "../job/end.ts";
import { submitJob } from "../job/submit.ts";
import { dropUnbound, type KeptText, readPiece, writePiece } from "../payload.ts";
import type { Verb } from "../statement.ts";
import { KEEP_MS, type OpenStore, Stage, TTL_MS } from "./stage.ts";

const HOUR_MS = 3_600_000;

export function keepLaws(open: OpenStore): void {
  payloadLaws(open);
  ttlLaws(open);
  retentionLaws(open);
  onceLaws(open);
}

/** A text in two pieces; the first is written ahead, the second goes with its row. */
async function longText(stage: Stage, id: string): Promise<KeptText> {
  const bytes = Buffer.from("first second");
  await stage.store.write(writePiece, id, 0, bytes.subarray(0, 6), bytes.length, stage.now);
  return { payload: id, bytes: bytes.length, piece: { part: 1, bytes: bytes.subarray(6) } };
}

async function textOf(stage: Stage, id: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  for (;;) {
    const piece = await stage.store.read(readPiece, id, pieces.length);
    if (!piece) return Buffer.concat(pieces).toString();
    pieces.push(piece);
  }
}

function payloadLaws(open: OpenStore): void {
  test("a long text is whole once its row is there, and no sweep takes it", async (t) => {
    const stage = await Stage.set(open, t);
    await stage.submit({ input: await longText(stage, "p") });
    stage.now += 2 * HOUR_MS;
    await stage.store.write(dropUnbound, stage.now);
    assert.equal(await textOf(stage, "p"), "first second");
  });

  test("a long text whose row never came is swept after its time, and not before", async (t) => {
    const stage = await Stage.set(open, t);
    await longText(stage, "p");
    assert.equal(await stage.store.write(dropUnbound, stage.now), 0);
    assert.equal(await textOf(stage, "p"), "first ");
    assert.equal(await stage.store.write(dropUnbound, stage.now + 1), 1);
    assert.equal(await textOf(stage, "p"), "");
    assert.equal(await stage.value("select count(*) from payload"), 0);
  });

  test("a row that fails binds nothing", async (t) => {
    const stage = await Stage.set(open, t);
    const id = await stage.submit();
    const input = await longText(stage, "p");
    await assert.rejects(stage.store.write(submitJob, stage.newJob({ id, input })));
    assert.equal(await stage.value("select bound from payload where id = 'p'"), 0);
    assert.equal(await textOf(stage, "p"), "first ");
  });
}

function ttlLaws(open: OpenStore): void {
  test("queued jobs past their time to live end TIMED_OUT, the longest overdue first", async (t) => {
    const stage = await Stage.set(open, t);
    const [usual, short, week] = [TTL_MS, TTL_MS / 2, 168 * HOUR_MS];
    const ids: string[] = [];
    for (const ttlMs of [usual, week, short]) ids.push(await stage.submit({ ttlMs }));
    const states = () => Promise.all(ids.map((id) => stage.state(id)));
    stage.now += TTL_MS - 1;
    assert.equal(await stage.store.write(expireQueued, stage.now, 10), 1);
    assert.deepEqual(await states(), ["IN_QUEUE", "IN_QUEUE", "TIMED_OUT"]);
    stage.now += 1;
    assert.equal(await stage.store.write(expireQueued, stage.now, 10), 1);
    assert.deepEqual(await states(), ["TIMED_OUT", "IN_QUEUE", "TIMED_OUT"]);
  });

  test("a time to live that is set counts from submission", async (t) => {
    const stage = await Stage.set(open, t);
    const id = await stage.submit();
    stage.now += 5_000;
    await stage.store.write(setTtl, id, 6_000, stage.now);
    stage.now += 1_000;
    assert.equal(await stage.store.write(expireQueued, stage.now, 10), 1);
    assert.equal(await stage.state(id), "TIMED_OUT");
  });

  test("a time to live set in the turn that ends the job cuts no retention short", async (t) => {
    const stage = await Stage.set(open, t);
    const id = await stage.submit();
    await stage.claim();
    stage.now += 30_000;
    await Promise.all([stage.finish(id), stage.store.write(setTtl, id, 40_000, stage.now)]);
    assert.equal((await stage.job(id)).forget_at, stage.now + 40_000);
  });
}

function retentionLaws(open: OpenStore): void {
  test("an ended job is kept for its retention, and then forgotten whole", async (t) => {
    const stage = await Stage.set(open, t);
    const id = await stage.submit({ input: await longText(stage, "in"), webhook: "http://x" });
    await stage.claim();
    await stage.store.write(appendChunk, id, "e", "w", { output: "1", metrics: null }, 1, 0);
    await stage.requeue(id);
    await stage.store.write(endJob, id, "cancel", "no", stage.now);
    await stage.finish(id);
    await stage.value("select 1");
    stage.now += KEEP_MS - 1;
    assert.equal(await stage.store.write(forgetEnded, stage.now, 10), 0);
    stage.now += 1;
    await stage.store.write(settleDeliveries);
    assert.equal(await stage.store.write(forgetEnded, stage.now, 10), 1);
    for (const table of LEFT_BY_JOBS) {
      assert.equal(await stage.value(`select count(*) from ${table}`), 0, `${table} keeps rows`);
    }
  });

  test("a job that is forgotten never lends its number to another", async (t) => {
    const stage = await Stage.set(open, t);
    const first = await stage.submit();
    const { seq } = await stage.job(first);
    await stage.store.write(endJob, first, "cancel", "no", stage.now);
    stage.now += KEEP_MS;
    await stage.store.write(forgetEnded, stage.now, 10);
    const second = await stage.submit();
    assert.ok((await stage.job(second)).seq > seq);
  });
}

const LEFT_BY_JOBS = [
  ...["job", "attempt", "chunk", "late_post", "delivery", "delivery_try", "payload"],
  "payload_piece",
];

function* settleDeliveries(): Verb<void> {
  yield { sql: "update delivery set state = 'failed'", params: [], rows: false };
}

function onceLaws(open: OpenStore): void {
  const once = { accountId: "account", key: "k", fingerprint: "a" };

  test("under one key a thing is made once, also by two calls of one turn", async (t) => {
    const stage = await Stage.set(open, t);
    const jobs = [stage.newJob(), stage.newJob()];
    const answers = await Promise.all(jobs.map((job) => stage.store.write(submitOnce, once, job)));
    assert.deepEqual(answers, [{ answer: jobs[0]!.id }, { answer: jobs[0]!.id }]);
    assert.equal(await stage.value("select count(*) from job"), 1);
  });

  test("another request under the same key is a conflict and makes nothing", async (t) => {
    const stage = await Stage.set(open, t);
    await stage.store.write(submitOnce, once, stage.newJob());
    const other = { ...once, fingerprint: "b" };
    assert.equal(await stage.store.write(submitOnce, other, stage.newJob()), "conflict");
    assert.equal(await stage.value("select count(*) from job"), 1);
  });

  test("a key is another account's own, and is free again after its day", async (t) => {
    const stage = await Stage.set(open, t);
    await stage.store.write(submitOnce, once, stage.newJob());
    await stage.store.write(submitOnce, { ...once, accountId: "b" }, stage.newJob());
    assert.equal(await stage.value("select count(*) from job"), 2);
    stage.now += KEPT_MS;
    await stage.store.write(submitOnce, { ...once, fingerprint: "b" }, stage.newJob());
    assert.equal(await stage.value("select count(*) from job"), 3);
    assert.equal(await stage.store.write(forgetAnswers, stage.now), 1);
  });

  test("a creation that fails is not remembered", async (t) => {
    const stage = await Stage.set(open, t);
    const id = await stage.submit();
    await assert.rejects(stage.store.write(submitOnce, once, stage.newJob({ id })));
    const job = stage.newJob();
    assert.deepEqual(await stage.store.write(submitOnce, once, job), { answer: job.id });
  });
}

function* submitOnce(
  once: { accountId: string; key: string; fingerprint: string },
  job: ReturnType<Stage["newJob"]>,
): Verb<{ answer: string } | "conflict"> {
  return yield* doOnce(once, job.now, function* () {
    yield* submitJob(job);
    return job.id;
  });
}
