// Creations under an Idempotency-Key: each happens once, and its answer is kept for a day.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { IdempotencyKey } from "../../../../src/domain/idempotency-key.ts";
import type { Tx } from "../../../../src/store/engine/statement.ts";
import {
  doOnce,
  forgetAnswers,
  RETENTION_MS,
} from "../../../../src/store/idempotency/idempotency.ts";
import { submitJob } from "../../../../src/transactions/job/submit.ts";
import { Fixture, type OpenStore } from "../fixture.ts";

export function idempotencyConformance(open: OpenStore): void {
  const once = { accountId: "account", key: "k", fingerprint: "a", callerKeyId: "key" };

  test("one idempotency key creates one resource, also for two calls in one batch", async (t) => {
    const fixture = await Fixture.set(open, t);
    const jobs = [fixture.newJob(), fixture.newJob()];
    const answers = await Promise.all(
      jobs.map((job) => fixture.store.write(submitOnce, once, job)),
    );
    const answer = jobs[0]!.id;
    assert.deepEqual(answers, [
      { answer, isReplay: false },
      { answer, isReplay: true },
    ]);
    assert.equal(await fixture.value("select count(*) from job"), 1);
  });

  test("another request with the same idempotency key is a conflict and creates nothing", async (t) => {
    const fixture = await Fixture.set(open, t);
    await fixture.store.write(submitOnce, once, fixture.newJob());
    const other = { ...once, fingerprint: "b" };
    assert.equal(await fixture.store.write(submitOnce, other, fixture.newJob()), "conflict");
    assert.equal(await fixture.value("select count(*) from job"), 1);
  });

  test("a digest without a key, as an earlier version stored it, is still recognized", async (t) => {
    const fixture = await Fixture.set(open, t);
    const job = fixture.newJob();
    await fixture.store.write(submitOnce, { ...once, fingerprint: "plain" }, job);
    const now = { ...once, fingerprint: "keyed", plainFingerprint: "plain" };
    const answer = { answer: job.id, isReplay: true };
    assert.deepEqual(await fixture.store.write(submitOnce, now, fixture.newJob()), answer);
  });

  test("an idempotency key is scoped to its account, and can be reused after a day", async (t) => {
    const fixture = await Fixture.set(open, t);
    await fixture.store.write(submitOnce, once, fixture.newJob());
    await fixture.store.write(submitOnce, { ...once, accountId: "b" }, fixture.newJob());
    assert.equal(await fixture.value("select count(*) from job"), 2);
    fixture.now += RETENTION_MS;
    await fixture.store.write(submitOnce, { ...once, fingerprint: "b" }, fixture.newJob());
    assert.equal(await fixture.value("select count(*) from job"), 3);
    assert.equal(await fixture.store.write(forgetAnswers, fixture.now), 1);
  });

  test("a creation that fails is not remembered", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit();
    await assert.rejects(fixture.store.write(submitOnce, once, fixture.newJob({ id })));
    const job = fixture.newJob();
    const answer = { answer: job.id, isReplay: false };
    assert.deepEqual(await fixture.store.write(submitOnce, once, job), answer);
  });
}

function* submitOnce(
  once: IdempotencyKey,
  job: ReturnType<Fixture["newJob"]>,
): Tx<{ answer: string; isReplay: boolean } | "conflict"> {
  return yield* doOnce(once, job.now, function* () {
    yield* submitJob(job);
    return job.id;
  });
}
