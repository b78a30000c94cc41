// Laws of results: whose count, that an ended job stays ended, and that what came too late is kept
// as evidence and changes nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { appendChunk, moveCursor, readChunks } from "../job/chunk.ts";
import { endJob } from "../job/end.ts";
import { latePostsOf } from "../job/find.ts";
import { stopsFor } from "../job/lease.ts";
import { recordProgress } from "../job/progress.ts";
import { retryJob } from "../job/retry.ts";
import { markEnded } from "../worker/worker.ts";
import { type OpenStore, Stage } from "./stage.ts";

export function reportLaws(open: OpenStore): void {
  test("the holder's result counts", async (t) => {
    const stage = await Stage.set(open, t);
    const id = await stage.submit();
    await stage.claim();
    stage.now += 5;
    assert.equal(await stage.finish(id), "recorded");
    const { state, output, finished_at, worker_id } = await stage.job(id);
    assert.deepEqual(
      [state, output, finished_at, worker_id],
      ["COMPLETED", '"out"', stage.now, "w"],
    );
  });

  test("an earlier holder's result counts while the job lives, and its holder is told", async (t) => {
    const stage = await Stage.set(open, t);
    await stage.worker("w2");
    const id = await stage.submit();
    await stage.claim();
    await stage.requeue(id);
    await stage.claim(1, "w2");
    assert.equal(await stage.finish(id, { output: '"first"' }), "recorded");
    assert.equal((await stage.job(id)).output, '"first"');
    assert.deepEqual(
      (await stage.store.read(stopsFor, "w2")).map((stop) => stop.job_id),
      [id],
    );
    assert.equal(await stage.finish(id, { by: "w2", output: '"second"' }), "late");
    assert.equal((await stage.job(id)).output, '"first"');
  });

  test("an earlier holder's result counts while the job is queued", async (t) => {
    const stage = await Stage.set(open, t);
    const id = await stage.submit();
    await stage.claim();
    await stage.requeue(id);
    assert.equal(await stage.finish(id), "recorded");
    assert.equal(await stage.state(id), "COMPLETED");
    assert.deepEqual(await stage.claim(), []);
  });

  test("a stranger's post changes nothing", async (t) => {
    const stage = await Stage.set(open, t);
    await stage.worker("stranger");
    const id = await stage.submit();
    await stage.claim();
    const before = await stage.job(id);
    assert.equal(await stage.finish(id, { by: "stranger" }), "unknown");
    const piece = { output: "1", metrics: null };
    const streamed = stage.store.write(appendChunk, id, "e", "stranger", piece, 1, stage.now);
    assert.equal(await streamed, "unknown");
    const progress = { inline: "1" };
    await stage.store.write(recordProgress, id, "e", "stranger", progress, stage.now);
    assert.equal(await stage.finish("no-such-job"), "unknown");
    assert.deepEqual(await stage.job(id), before);
    assert.deepEqual(await stage.store.read(latePostsOf, before.seq), []);
  });

  endedLaws(open);
  stopLaws(open);
  chunkLaws(open);
}

function endedLaws(open: OpenStore): void {
  for (const [name, end] of Object.entries(ends)) {
    test(`a job that ${name} is never reopened; what comes then is evidence`, async (t) => {
      const stage = await Stage.set(open, t);
      const id = await stage.submit();
      await stage.claim();
      await end(stage, id);
      const before = await stage.job(id);
      stage.now += 1_000;
      assert.equal(await stage.finish(id, { output: '"later"' }), "late");
      assert.equal(await stage.finish(id, { error: "later" }), "late");
      const piece = { output: "1", metrics: null };
      await stage.store.write(appendChunk, id, "e", "w", piece, 1, stage.now);
      await stage.store.write(recordProgress, id, "e", "w", { inline: "1" }, stage.now);
      await stage.store.write(endJob, id, "cancel", "later", stage.now);
      assert.equal(await stage.requeue(id), false);
      assert.deepEqual(await stage.job(id), before);
      const late = await stage.store.read(latePostsOf, before.seq);
      assert.deepEqual(
        late.map(({ kind }) => kind),
        ["job-done", "job-done", "job-stream"],
      );
    });
  }
}

const ends: Record<string, (stage: Stage, id: string) => Promise<unknown>> = {
  completed: (stage, id) => stage.finish(id),
  failed: (stage, id) => stage.finish(id, { error: "no" }),
  "was cancelled": (stage, id) => stage.store.write(endJob, id, "cancel", "no", stage.now),
  overran: (stage, id) => stage.store.write(endJob, id, "overrun", "no", stage.now),
  expired: (stage, id) => stage.store.write(endJob, id, "expire", "no", stage.now),
  "was given up": (stage, id) => stage.store.write(endJob, id, "giveUp", "no", stage.now),
};

function stopLaws(open: OpenStore): void {
  test("a worker is told to stop what was ended under it", async (t) => {
    const stage = await Stage.set(open, t);
    const id = await stage.submit();
    await stage.claim();
    await stage.store.write(endJob, id, "cancel", "no", stage.now);
    assert.deepEqual(
      (await stage.store.read(stopsFor, "w")).map((stop) => stop.job_id),
      [id],
    );
  });

  test("a worker that is given a job again is not told to stop it", async (t) => {
    const stage = await Stage.set(open, t);
    const id = await stage.submit();
    await stage.claim();
    await stage.store.write(endJob, id, "overrun", "no", stage.now);
    await stage.store.write(retryJob, id, "e", stage.now);
    assert.deepEqual(await stage.claim(), [id]);
    assert.deepEqual(await stage.store.read(stopsFor, "w"), []);
  });

  test("nobody is told to stop who has ended", async (t) => {
    const stage = await Stage.set(open, t);
    const id = await stage.submit();
    await stage.claim();
    const end = { at: stage.now, exitCode: 0, signal: null };
    await stage.store.write(markEnded, "w", end);
    await stage.store.write(endJob, id, "cancel", "no", stage.now);
    assert.deepEqual(await stage.store.read(stopsFor, "w"), []);
  });
}

async function chunksOf(stage: Stage, id: string): Promise<[n: number, output: string][]> {
  const chunks = await stage.store.read(readChunks, await stage.job(id), 0, 1_000);
  return chunks.map(({ n, output }) => [n, output]);
}

function chunkLaws(open: OpenStore): void {
  test("chunks are numbered in their order, and start anew with a dispatch", async (t) => {
    const stage = await Stage.set(open, t);
    const id = await stage.submit();
    const append = (output: string) =>
      stage.store.write(appendChunk, id, "e", "w", { output, metrics: null }, 1, stage.now);
    await stage.claim();
    await Promise.all([append("1"), append("2"), append("3")]);
    assert.deepEqual(await chunksOf(stage, id), [
      [0, "1"],
      [1, "2"],
      [2, "3"],
    ]);
    await stage.requeue(id);
    assert.deepEqual(await chunksOf(stage, id), []);
    await stage.claim();
    assert.deepEqual(await chunksOf(stage, id), []);
    await append("4");
    assert.deepEqual(await chunksOf(stage, id), [[0, "4"]]);
  });

  test("the result of an earlier dispatch brings all that it had yielded", async (t) => {
    const stage = await Stage.set(open, t);
    await stage.worker("next");
    const id = await stage.submit();
    const append = (by: string, output: string) =>
      stage.store.write(appendChunk, id, "e", by, { output, metrics: null }, 1, stage.now);
    await stage.claim();
    await append("w", "1");
    await stage.requeue(id);
    assert.equal(await append("w", "2"), "recorded");
    assert.deepEqual(await chunksOf(stage, id), []);
    await stage.claim(1, "next");
    await append("next", "another 1");
    assert.equal(await append("w", "3"), "recorded");
    assert.deepEqual(await chunksOf(stage, id), [[0, "another 1"]]);
    const read = await stage.job(id);
    assert.equal(await stage.finish(id), "recorded");
    await stage.store.write(moveCursor, read, 1); // a reply about the other's chunk
    assert.equal((await stage.job(id)).drained, 0);
    assert.deepEqual(await chunksOf(stage, id), [
      [0, "1"],
      [1, "2"],
      [2, "3"],
    ]);
    assert.equal(await append("next", "another 2"), "late");
  });

  test("a reply about an earlier dispatch does not move the cursor of the next", async (t) => {
    const stage = await Stage.set(open, t);
    const id = await stage.submit();
    const append = () =>
      stage.store.write(appendChunk, id, "e", "w", { output: "1", metrics: null }, 1, stage.now);
    await stage.claim();
    await append();
    const read = await stage.job(id);
    await stage.requeue(id);
    await stage.claim();
    await append();
    await stage.store.write(moveCursor, read, 1);
    assert.equal((await stage.job(id)).drained, 0);
    await stage.store.write(moveCursor, await stage.job(id), 1);
    assert.equal((await stage.job(id)).drained, 1);
  });
}
