// Group commit: an answered call is durable, a failed call does not affect the others, and a
// notified subscriber finds what it was notified of.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Job } from "../../../src/domain/job/job.ts";
import { topic } from "../../../src/store/engine/notifier.ts";
import { change, notify, type Tx } from "../../../src/store/engine/statement.ts";
import { findJob } from "../../../src/store/job/find.ts";
import { jobCounts } from "../../../src/store/job/load.ts";
import { finishHeldJob } from "../../../src/transactions/job/finish.ts";
import { submitJob } from "../../../src/transactions/job/submit.ts";
import { Fixture, type OpenStore } from "./fixture.ts";

export function commitConformance(open: OpenStore): void {
  test("calls of one batch see each other's writes, in their order", async (t) => {
    const fixture = await Fixture.set(open, t);
    const [first, second] = [fixture.newJob(), fixture.newJob()];
    const [, found, missing] = await Promise.all([
      fixture.store.write(submitJob, first),
      fixture.store.write(findJob, first.id, fixture.now),
      fixture.store.write(findJob, second.id, fixture.now),
      fixture.store.write(submitJob, second),
    ]);
    assert.equal(found?.id, first.id);
    assert.equal(missing, undefined);
  });

  failureConformance(open);
  notificationConformance(open);
}

function* failing(jobId: string): Tx<void> {
  yield* change("update job set state = 'FAILED' where id = ?", jobId);
  yield* notify(topic.job(jobId));
  throw new Error("no");
}

function* breaking(jobId: string): Tx<void> {
  yield* change("insert into job (id) values (?)", jobId);
}

function failureConformance(open: OpenStore): void {
  test("a call that fails does not affect its batch and leaves no trace", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit();
    const jobs = Array.from({ length: 6 }, () => fixture.newJob());
    const results = await Promise.allSettled([
      fixture.store.write(submitJob, jobs[0]!),
      fixture.store.write(failing, id),
      fixture.store.write(submitJob, jobs[1]!),
      fixture.store.write(submitJob, jobs[0]!), // the same id again
      fixture.store.write(breaking, "half"),
      ...jobs.slice(2).map((job) => fixture.store.write(submitJob, job)),
    ]);
    const outcomes = results.map(({ status }) => (status === "fulfilled" ? "ok" : "no"));
    assert.deepEqual(outcomes, ["ok", "no", "ok", "no", "no", "ok", "ok", "ok", "ok"]);
    assert.equal(await fixture.state(id), "IN_QUEUE");
    assert.equal(await fixture.value("select count(*) from job"), 7);
    assert.equal((await fixture.store.read(jobCounts, "e")).inQueue, 7);
  });

  test("a call that fails notifies no subscriber", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit();
    const subscription = fixture.store.notifier.subscribe(topic.job(id));
    await assert.rejects(fixture.store.write(failing, id), /no/);
    assert.equal(subscription.signalled, false);
    subscription.close();
  });

  test("more calls than fit a batch are all answered", async (t) => {
    const fixture = await Fixture.set(open, t);
    const jobs = Array.from({ length: 1_000 }, () => fixture.newJob());
    await Promise.all(jobs.map((job) => fixture.store.write(submitJob, job)));
    assert.equal((await fixture.store.read(jobCounts, "e")).inQueue, 1_000);
  });

  test("calls that wait when the store closes are still committed", async (t) => {
    const fixture = await Fixture.set(open, t);
    const submitted = fixture.submit();
    await fixture.store.close();
    await submitted;
  });
}

function notificationConformance(open: OpenStore): void {
  test("a worker that is notified of a job claims it, and the submission is committed by then", async (t) => {
    const fixture = await Fixture.set(open, t);
    const { store } = fixture;
    const job = fixture.newJob();
    const claimed = new Promise<string[]>((resolve) => {
      // The claim may share the commit of what it was woken by: only a write finds it for certain.
      store.notifier.on(topic.queue("e"), () => void fixture.claim().then(resolve));
    });
    await Promise.all([store.write(submitJob, job), claimed]);
    assert.deepEqual(await claimed, [job.id]);
    assert.equal((await store.read(findJob, job.id, fixture.now))?.state, "IN_PROGRESS");
  });

  test("a subscriber that is notified of a job's end reads it", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit();
    await fixture.claim();
    const woken = new Promise<string | undefined>((resolve) => {
      const read = () => fixture.store.read(findJob, id, fixture.now);
      fixture.store.notifier.on(
        topic.job(id),
        () => void read().then((job) => resolve(job?.state)),
      );
    });
    await fixture.finish(id);
    assert.equal(await woken, "COMPLETED");
  });

  test("the notification of a job's end carries the job as it would be read, until the next notification", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit();
    await fixture.claim();
    const subscription = fixture.store.notifier.subscribe(topic.job(id));
    await fixture.store.write(finishHeldJob, fixture.result(id, "w", null));
    assert.equal((subscription.payload as Job).state, "COMPLETED");
    assert.deepEqual(subscription.payload, await fixture.store.read(findJob, id, fixture.now));
    await fixture.store.write(notify, topic.job(id));
    assert.equal(subscription.payload, undefined);
    subscription.close();
  });

  test("a notification between the query and the wait is not missed", async (t) => {
    const fixture = await Fixture.set(open, t);
    const subscription = fixture.store.notifier.subscribe(topic.queue("e"));
    assert.deepEqual(await fixture.claim(), []);
    await fixture.submit();
    const never = { now: () => fixture.now, ticks: () => fixture.now, after: () => () => {} };
    assert.equal(await subscription.wait(never, 1_000), true);
    subscription.close();
  });

  test("as many subscribers are notified as there are jobs, the longest waiting first", async (t) => {
    const fixture = await Fixture.set(open, t);
    const subscriptions = Array.from({ length: 4 }, () =>
      fixture.store.notifier.subscribe(topic.queue("e")),
    );
    await Promise.all([fixture.submit(), fixture.submit()]);
    assert.deepEqual(
      subscriptions.map(({ signalled }) => signalled),
      [true, true, false, false],
    );
    await fixture.submit();
    assert.deepEqual(
      subscriptions.map(({ signalled }) => signalled),
      [true, true, true, false],
    );
    for (const subscription of subscriptions) subscription.close();
  });
}
