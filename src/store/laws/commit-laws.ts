// Laws of the group commit: what is answered is durable, what fails takes nobody along, and whoever
// is woken finds what he was woken for.

import assert from "node:assert/strict";
import { test } from "node:test";
import { findJob } from "../job/find.ts";
import { finishHeld } from "../job/finish.ts";
import { tallyOf } from "../job/load.ts";
import type { JobRow } from "../job/row.ts";
import { submitJob } from "../job/submit.ts";
import { change, ring, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";
import { type OpenStore, Stage } from "./stage.ts";

export function commitLaws(open: OpenStore): void {
  test("calls of one turn see each other's writes, in the order they came", async (t) => {
    const stage = await Stage.set(open, t);
    const [first, second] = [stage.newJob(), stage.newJob()];
    const [, found, missing] = await Promise.all([
      stage.store.write(submitJob, first),
      stage.store.write(findJob, first.id),
      stage.store.write(findJob, second.id),
      stage.store.write(submitJob, second),
    ]);
    assert.equal(found?.id, first.id);
    assert.equal(missing, undefined);
  });

  failureLaws(open);
  wakeLaws(open);
}

function* failing(jobId: string): Verb<void> {
  yield* change("update job set state = 'FAILED' where id = ?", jobId);
  yield* ring(topic.job(jobId));
  throw new Error("no");
}

function* breaking(jobId: string): Verb<void> {
  yield* change("insert into job (id) values (?)", jobId);
}

function failureLaws(open: OpenStore): void {
  test("a call that fails takes none of its turn down and leaves no trace", async (t) => {
    const stage = await Stage.set(open, t);
    const id = await stage.submit();
    const jobs = Array.from({ length: 6 }, () => stage.newJob());
    const results = await Promise.allSettled([
      stage.store.write(submitJob, jobs[0]!),
      stage.store.write(failing, id),
      stage.store.write(submitJob, jobs[1]!),
      stage.store.write(submitJob, jobs[0]!), // the same id again
      stage.store.write(breaking, "half"),
      ...jobs.slice(2).map((job) => stage.store.write(submitJob, job)),
    ]);
    const outcomes = results.map(({ status }) => (status === "fulfilled" ? "ok" : "no"));
    assert.deepEqual(outcomes, ["ok", "no", "ok", "no", "no", "ok", "ok", "ok", "ok"]);
    assert.equal(await stage.state(id), "IN_QUEUE");
    assert.equal(await stage.value("select count(*) from job"), 7);
    assert.equal((await stage.store.read(tallyOf, "e")).in_queue, 7);
  });

  test("a call that fails rings nobody", async (t) => {
    const stage = await Stage.set(open, t);
    const id = await stage.submit();
    const bell = stage.store.wakes.hang(topic.job(id));
    await assert.rejects(stage.store.write(failing, id), /no/);
    assert.equal(bell.rung, false);
    bell.close();
  });

  test("more calls than fit a turn are all answered", async (t) => {
    const stage = await Stage.set(open, t);
    const jobs = Array.from({ length: 1_000 }, () => stage.newJob());
    await Promise.all(jobs.map((job) => stage.store.write(submitJob, job)));
    assert.equal((await stage.store.read(tallyOf, "e")).in_queue, 1_000);
  });

  test("what waits when the store closes is still committed", async (t) => {
    const stage = await Stage.set(open, t);
    const submitted = stage.submit();
    await stage.store.close();
    await submitted;
  });
}

function wakeLaws(open: OpenStore): void {
  test("whoever is woken for a job claims it, and its submission is committed then", async (t) => {
    const stage = await Stage.set(open, t);
    const { store } = stage;
    const job = stage.newJob();
    const claimed = new Promise<string[]>((resolve) => {
      // The claim may share the commit of what it was woken by: only a write finds it for certain.
      store.wakes.on(topic.queue("e"), () => void stage.claim().then(resolve));
    });
    await Promise.all([store.write(submitJob, job), claimed]);
    assert.deepEqual(await claimed, [job.id]);
    assert.equal((await store.read(findJob, job.id))?.state, "IN_PROGRESS");
  });

  test("whoever is woken by what became of a job reads it", async (t) => {
    const stage = await Stage.set(open, t);
    const id = await stage.submit();
    await stage.claim();
    const woken = new Promise<string | undefined>((resolve) => {
      const read = () => stage.store.read(findJob, id);
      stage.store.wakes.on(topic.job(id), () => void read().then((job) => resolve(job?.state)));
    });
    await stage.finish(id);
    assert.equal(await woken, "COMPLETED");
  });

  test("whoever waits for a job's end is told it as it would be read, until something else rings", async (t) => {
    const stage = await Stage.set(open, t);
    const id = await stage.submit();
    await stage.claim();
    const bell = stage.store.wakes.hang(topic.job(id));
    await stage.store.write(finishHeld, stage.result(id, "w", null));
    assert.equal((bell.news as JobRow).state, "COMPLETED");
    assert.deepEqual(bell.news, await stage.store.read(findJob, id));
    await stage.store.write(ring, topic.job(id));
    assert.equal(bell.news, undefined);
    bell.close();
  });

  test("what happens between the question and the wait is not missed", async (t) => {
    const stage = await Stage.set(open, t);
    const bell = stage.store.wakes.hang(topic.queue("e"));
    assert.deepEqual(await stage.claim(), []);
    await stage.submit();
    const never = { now: () => stage.now, after: () => () => {} };
    assert.equal(await bell.wait(never, 1_000), true);
    bell.close();
  });

  test("as many are woken as there are jobs, the longest waiting first", async (t) => {
    const stage = await Stage.set(open, t);
    const bells = Array.from({ length: 4 }, () => stage.store.wakes.hang(topic.queue("e")));
    await Promise.all([stage.submit(), stage.submit()]);
    assert.deepEqual(
      bells.map(({ rung }) => rung),
      [true, true, false, false],
    );
    await stage.submit();
    assert.deepEqual(
      bells.map(({ rung }) => rung),
      [true, true, true, false],
    );
    for (const bell of bells) bell.close();
  });
}
