// Laws of delayed jobs and of attempts under a retry policy.

import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf } from "../../../../src/domain/job/job.ts";
import { retryDefaults } from "../../../../src/domain/job/retry-policy.ts";
import { topic } from "../../../../src/store/engine/notifier.ts";
import { attemptsOf } from "../../../../src/store/job/attempt.ts";
import { jobCounts } from "../../../../src/store/job/load.ts";
import { nextDue } from "../../../../src/store/job/schedule/delay.ts";
import { endQueued } from "../../../../src/transactions/job/end.ts";
import { finishHeldJob } from "../../../../src/transactions/job/finish.ts";
import { retryJob } from "../../../../src/transactions/job/retry.ts";
import { releaseDue } from "../../../../src/transactions/job/schedule/release.ts";
import { Fixture, type OpenStore, TTL_MS } from "../fixture.ts";

const retry = { ...retryDefaults, delay: 10, factor: 2, maxAttempts: 3 };

export function delayConformance(open: OpenStore): void {
  test("a delayed job is claimed from its instant on, and its time to live counts from then", async (t) => {
    const fixture = await Fixture.set(open, t);
    const startAt = fixture.now + 60_000;
    const id = await fixture.submit({ startAt });
    const next = await fixture.submit();
    assert.deepEqual(await fixture.claim(5), [next]);
    assert.deepEqual(await counts(fixture), { inQueue: 0, delayed: 1, inProgress: 1 });
    assert.equal(await fixture.store.read(nextDue), startAt);
    fixture.now = startAt - 1;
    assert.equal(await fixture.store.write(releaseDue, fixture.now, 10), 0);
    fixture.now = startAt;
    const notified = fixture.store.notifier.subscribe(topic.queue("e"));
    assert.equal(await fixture.store.write(releaseDue, fixture.now, 10), 1);
    assert.ok(notified.signalled);
    notified.close();
    assert.deepEqual(await counts(fixture), { inQueue: 1, delayed: 0, inProgress: 1 });
    assert.deepEqual(await fixture.claim(5), [id]);
    const { ttlAt, queuedAt } = await fixture.job(id);
    assert.deepEqual([ttlAt, queuedAt], [startAt + TTL_MS, startAt]);
  });

  test("an emptied queue has no delayed jobs left", async (t) => {
    const fixture = await Fixture.set(open, t);
    await fixture.submit({ startAt: fixture.now + 60_000 });
    await fixture.submit();
    assert.equal(
      await fixture.store.write(endQueued, "e", { event: "purge", error: "no" }, fixture.now, 10),
      2,
    );
    assert.deepEqual(await counts(fixture), { inQueue: 0, delayed: 0, inProgress: 0 });
  });

  retryConformance(open);
}

function retryConformance(open: OpenStore): void {
  test("an error under a retry policy is an attempt, until the attempts are used up", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit({ retry });
    const states: string[] = [];
    for (const pauseMs of [10_000, 20_000, 0]) {
      assert.deepEqual(await fixture.claim(), [id]);
      const result = fixture.result(id, "w", "bad luck");
      assert.equal(await fixture.store.write(finishHeldJob, result), false);
      await fixture.finish(id, { error: "bad luck" });
      states.push(await fixture.state(id));
      assert.deepEqual(await fixture.claim(), [], "not before its pause is over");
      fixture.now += pauseMs;
      await fixture.store.write(releaseDue, fixture.now, 10);
    }
    assert.deepEqual(states, ["DELAYED", "DELAYED", "FAILED"]);
    const job = await fixture.job(id);
    assert.deepEqual([errorOf(job), job.retries, job.attempts], ["bad luck", 2, 3]);
    const { failed, retried } = await fixture.store.read(jobCounts, "e");
    assert.deepEqual([failed, retried], [1, 2]);
    const attempts = await fixture.store.read(attemptsOf, job.seq);
    assert.deepEqual(
      attempts.map(({ outcome }) => outcome),
      ["its handler failed: bad luck", "its handler failed: bad luck"],
    );
  });

  test("a repeated error of an attempt that another one follows changes nothing", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit({ retry });
    await fixture.claim();
    assert.equal(await fixture.finish(id, { error: "once" }), "recorded");
    assert.equal(await fixture.finish(id, { error: "once" }), "late");
    assert.equal(await fixture.finish(id), "late");
    assert.equal(await fixture.state(id), "DELAYED");
    assert.deepEqual(await counts(fixture), { inQueue: 0, delayed: 1, inProgress: 0 });
  });

  test("the error of a lost attempt leaves the job to the attempt that follows, and a result counts", async (t) => {
    const fixture = await Fixture.set(open, t);
    await fixture.worker("w2");
    const [failing, lucky] = [await fixture.submit({ retry }), await fixture.submit({ retry })];
    await fixture.claim(2);
    for (const id of [failing, lucky]) await fixture.requeue(id);
    await fixture.claim(2, "w2");
    assert.equal(await fixture.finish(failing, { error: "too late" }), "recorded");
    assert.equal(await fixture.finish(lucky), "recorded");
    assert.equal(await fixture.state(failing), "IN_PROGRESS");
    assert.equal(await fixture.state(lucky), "COMPLETED");
    assert.equal(await fixture.finish(failing, { by: "w2" }), "recorded");
    assert.equal(await fixture.state(failing), "COMPLETED");
  });

  test("a client's retry begins the attempts anew", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit({ retry: { ...retry, maxAttempts: 1 } });
    await fixture.claim();
    await fixture.finish(id, { error: "no" });
    assert.equal(await fixture.state(id), "FAILED");
    assert.equal(await fixture.store.write(retryJob, id, "e", fixture.now), null);
    const { retries, endedWorkers, state } = await fixture.job(id);
    assert.deepEqual([retries, endedWorkers, state], [0, 0, "IN_QUEUE"]);
  });
}

async function counts(fixture: Fixture) {
  const { inQueue, delayed, inProgress } = await fixture.store.read(jobCounts, "e");
  return { inQueue, delayed, inProgress };
}
