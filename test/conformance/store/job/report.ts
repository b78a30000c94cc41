// Laws of results: whose count, that an ended job stays ended, and that what came too late is kept
// as evidence and changes nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isEndedJob, outputText } from "../../../../src/domain/job/job.ts";
import { readChunks } from "../../../../src/store/job/chunk.ts";
import { latePostsOf } from "../../../../src/store/job/late-post.ts";
import { moveCursor } from "../../../../src/store/job/output.ts";
import { stopsOf } from "../../../../src/store/job/stop.ts";
import { endJob } from "../../../../src/transactions/job/end.ts";
import { appendChunk } from "../../../../src/transactions/job/output/append-chunk.ts";
import { recordProgress } from "../../../../src/transactions/job/record-progress.ts";
import { retryJob } from "../../../../src/transactions/job/retry.ts";
import { markEnded } from "../../../../src/transactions/worker/observe.ts";
import { Fixture, type OpenStore, postOf } from "../fixture.ts";

export function reportConformance(open: OpenStore): void {
  test("the holder's result counts", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit();
    await fixture.claim();
    fixture.now += 5;
    assert.equal(await fixture.finish(id), "recorded");
    const job = await fixture.job(id);
    assert.ok(isEndedJob(job));
    assert.deepEqual(
      [job.state, job.output.inline, job.finishedAt, job.workerId],
      ["COMPLETED", '"out"', fixture.now, "w"],
    );
  });

  test("an earlier holder's result counts while the job lives, and the current holder is asked to stop", async (t) => {
    const fixture = await Fixture.set(open, t);
    await fixture.worker("w2");
    const id = await fixture.submit();
    await fixture.claim();
    await fixture.requeue(id);
    await fixture.claim(1, "w2");
    assert.equal(await fixture.finish(id, { output: '"first"' }), "recorded");
    assert.equal(outputText(await fixture.job(id))?.inline, '"first"');
    assert.deepEqual(
      (await fixture.store.read(stopsOf, "w2")).map((stop) => stop.jobId),
      [id],
    );
    assert.equal(await fixture.finish(id, { by: "w2", output: '"second"' }), "late");
    assert.equal(outputText(await fixture.job(id))?.inline, '"first"');
  });

  test("an earlier holder's result counts while the job is queued", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit();
    await fixture.claim();
    await fixture.requeue(id);
    assert.equal(await fixture.finish(id), "recorded");
    assert.equal(await fixture.state(id), "COMPLETED");
    assert.deepEqual(await fixture.claim(), []);
  });

  test("a post of a worker that never held the job changes nothing", async (t) => {
    const fixture = await Fixture.set(open, t);
    await fixture.worker("stranger");
    const id = await fixture.submit();
    await fixture.claim();
    const before = await fixture.job(id);
    assert.equal(await fixture.finish(id, { by: "stranger" }), "unknown");
    const piece = { output: "1", metrics: null };
    const streamed = fixture.store.write(
      appendChunk,
      postOf(id, "stranger"),
      piece,
      1,
      fixture.now,
    );
    assert.equal(await streamed, "unknown");
    const progress = { inline: "1" };
    await fixture.store.write(recordProgress, postOf(id, "stranger"), progress, fixture.now);
    assert.equal(await fixture.finish("no-such-job"), "unknown");
    assert.deepEqual(await fixture.job(id), before);
    assert.deepEqual(await fixture.store.read(latePostsOf, before.seq), []);
  });

  endedConformance(open);
  stopConformance(open);
  chunkConformance(open);
}

function endedConformance(open: OpenStore): void {
  test("20 late posts are listed, and the others are counted", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit();
    await fixture.claim();
    await fixture.finish(id);
    for (let n = 0; n < 25; n++) assert.equal(await fixture.finish(id, { output: "1" }), "late");
    const late = await fixture.store.read(latePostsOf, (await fixture.job(id)).seq);
    assert.deepEqual(
      late.map(({ posts }) => posts),
      [...Array<number>(19).fill(1), 6],
    );
  });

  for (const [name, end] of Object.entries(ends)) {
    test(`a job that ${name} is never reopened, and later posts are kept as evidence`, async (t) => {
      const fixture = await Fixture.set(open, t);
      const id = await fixture.submit();
      await fixture.claim();
      await end(fixture, id);
      const before = await fixture.job(id);
      fixture.now += 1_000;
      assert.equal(await fixture.finish(id, { output: '"later"' }), "late");
      assert.equal(await fixture.finish(id, { error: "later" }), "late");
      const piece = { output: "1", metrics: null };
      await fixture.store.write(appendChunk, postOf(id), piece, 1, fixture.now);
      await fixture.store.write(recordProgress, postOf(id), { inline: "1" }, fixture.now);
      await fixture.store.write(endJob, id, { event: "cancel", error: "later" }, fixture.now);
      assert.equal(await fixture.requeue(id), false);
      assert.deepEqual(await fixture.job(id), before);
      const late = await fixture.store.read(latePostsOf, before.seq);
      assert.deepEqual(
        late.map(({ kind }) => kind),
        ["job-done", "job-done", "job-stream"],
      );
    });
  }
}

const ends: Record<string, (fixture: Fixture, id: string) => Promise<unknown>> = {
  completed: (fixture, id) => fixture.finish(id),
  failed: (fixture, id) => fixture.finish(id, { error: "no" }),
  "was cancelled": (fixture, id) =>
    fixture.store.write(endJob, id, { event: "cancel", error: "no" }, fixture.now),
  overran: (fixture, id) =>
    fixture.store.write(endJob, id, { event: "overrun", error: "no" }, fixture.now),
  expired: (fixture, id) =>
    fixture.store.write(endJob, id, { event: "expire", error: "no" }, fixture.now),
  "was given up": (fixture, id) =>
    fixture.store.write(endJob, id, { event: "giveUp", error: "no" }, fixture.now),
};

function stopConformance(open: OpenStore): void {
  test("a worker is asked to stop a job that ended elsewhere", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit();
    await fixture.claim();
    await fixture.store.write(endJob, id, { event: "cancel", error: "no" }, fixture.now);
    assert.deepEqual(
      (await fixture.store.read(stopsOf, "w")).map((stop) => stop.jobId),
      [id],
    );
  });

  test("a worker that gets a job again is not asked to stop it", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit();
    await fixture.claim();
    await fixture.store.write(endJob, id, { event: "overrun", error: "no" }, fixture.now);
    await fixture.store.write(retryJob, id, "e", fixture.now);
    assert.deepEqual(await fixture.claim(), [id]);
    assert.deepEqual(await fixture.store.read(stopsOf, "w"), []);
  });

  test("an ended worker is not asked to stop a job", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit();
    await fixture.claim();
    const end = { at: fixture.now, exitCode: 0, signal: null };
    await fixture.store.write(markEnded, "w", end);
    await fixture.store.write(endJob, id, { event: "cancel", error: "no" }, fixture.now);
    assert.deepEqual(await fixture.store.read(stopsOf, "w"), []);
  });
}

async function chunksOf(fixture: Fixture, id: string): Promise<[n: number, output: string][]> {
  const chunks = await fixture.store.read(readChunks, await fixture.job(id), 0, 1_000);
  return chunks.map(({ n, output }) => [n, output]);
}

function chunkConformance(open: OpenStore): void {
  test("chunks are numbered in order, and restart with a new dispatch", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit();
    const append = (output: string) =>
      fixture.store.write(appendChunk, postOf(id), { output, metrics: null }, 1, fixture.now);
    await fixture.claim();
    await Promise.all([append("1"), append("2"), append("3")]);
    assert.deepEqual(await chunksOf(fixture, id), [
      [0, "1"],
      [1, "2"],
      [2, "3"],
    ]);
    await fixture.requeue(id);
    assert.deepEqual(await chunksOf(fixture, id), []);
    await fixture.claim();
    assert.deepEqual(await chunksOf(fixture, id), []);
    await append("4");
    assert.deepEqual(await chunksOf(fixture, id), [[0, "4"]]);
  });

  test("the result of an earlier dispatch includes all chunks of that dispatch", async (t) => {
    const fixture = await Fixture.set(open, t);
    await fixture.worker("next");
    const id = await fixture.submit();
    const append = (by: string, output: string) =>
      fixture.store.write(appendChunk, postOf(id, by), { output, metrics: null }, 1, fixture.now);
    await fixture.claim();
    await append("w", "1");
    await fixture.requeue(id);
    assert.equal(await append("w", "2"), "recorded");
    assert.deepEqual(await chunksOf(fixture, id), []);
    await fixture.claim(1, "next");
    await append("next", "another 1");
    assert.equal(await append("w", "3"), "recorded");
    assert.deepEqual(await chunksOf(fixture, id), [[0, "another 1"]]);
    const read = await fixture.job(id);
    assert.equal(await fixture.finish(id), "recorded");
    await fixture.store.write(moveCursor, read, 1); // a reply about the other's chunk
    assert.equal((await fixture.job(id)).chunksDelivered, 0);
    assert.deepEqual(await chunksOf(fixture, id), [
      [0, "1"],
      [1, "2"],
      [2, "3"],
    ]);
    assert.equal(await append("next", "another 2"), "late");
  });

  cursorConformance(open);
}

function cursorConformance(open: OpenStore): void {
  test("a reply about an earlier dispatch does not move the cursor of the next", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit();
    const append = () =>
      fixture.store.write(appendChunk, postOf(id), { output: "1", metrics: null }, 1, fixture.now);
    await fixture.claim();
    await append();
    const read = await fixture.job(id);
    await fixture.requeue(id);
    await fixture.claim();
    await append();
    await fixture.store.write(moveCursor, read, 1);
    assert.equal((await fixture.job(id)).chunksDelivered, 0);
    await fixture.store.write(moveCursor, await fixture.job(id), 1);
    assert.equal((await fixture.job(id)).chunksDelivered, 1);
  });
}
