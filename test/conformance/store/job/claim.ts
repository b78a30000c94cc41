// Laws of dispatch: in which order jobs are given out, to whom, and that they keep their place.

import assert from "node:assert/strict";
import { test } from "node:test";
import { releaseClaim } from "../../../../src/transactions/job/requeue.ts";
import { retryJob } from "../../../../src/transactions/job/retry.ts";
import { markUnhealthy } from "../../../../src/transactions/worker/observe.ts";
import { requestWorkerEnd } from "../../../../src/transactions/worker/request-end.ts";
import { Fixture, LEASE_MS, type OpenStore, TTL_MS } from "../fixture.ts";

export function claimConformance(open: OpenStore): void {
  releaseConformance(open);
  test("jobs of higher priority go first, then earlier jobs", async (t) => {
    const fixture = await Fixture.set(open, t);
    const ids: string[] = [];
    for (const priority of [0, 5, -3, 5, 0]) ids.push(await fixture.submit({ priority }));
    const order = [1, 3, 0, 4, 2].map((n) => ids[n]);
    assert.deepEqual(await fixture.claim(10), order);
  });

  test("a batch has at most the requested number of jobs, and no job twice", async (t) => {
    const fixture = await Fixture.set(open, t);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await fixture.submit());
    const both = await Promise.all([fixture.claim(2), fixture.claim(2), fixture.claim(2)]);
    assert.deepEqual(both, [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  });

  test("an endpoint's jobs go to its own queue only", async (t) => {
    const fixture = await Fixture.set(open, t);
    await fixture.endpoint("other");
    await fixture.worker("far", "other");
    await fixture.submit({ endpointId: "other" });
    assert.deepEqual(await fixture.claim(), []);
    assert.equal((await fixture.claim(1, "far", "other")).length, 1);
  });

  test("a claimed job has a holder and a deadline", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit();
    await fixture.claim();
    const job = await fixture.job(id);
    assert.ok(job.state === "IN_PROGRESS");
    const { workerId, takenAt, leaseUntil, attempts } = job;
    assert.deepEqual(
      { workerId, takenAt, leaseUntil, attempts },
      {
        workerId: "w",
        takenAt: fixture.now,
        leaseUntil: fixture.now + LEASE_MS,
        attempts: 1,
      },
    );
  });

  test("a draining, unhealthy, ended or unknown worker gets no job", async (t) => {
    const fixture = await Fixture.set(open, t);
    await fixture.submit();
    await fixture.worker("leaving");
    await fixture.store.write(requestWorkerEnd, "leaving", "drain", "law", fixture.now);
    await fixture.worker("sick");
    await fixture.store.write(markUnhealthy, "sick", "law");
    for (const id of ["leaving", "sick", "nobody"])
      assert.deepEqual(await fixture.claim(1, id), []);
    assert.equal((await fixture.claim()).length, 1);
  });

  test("a job past its time to live is not dispatched", async (t) => {
    const fixture = await Fixture.set(open, t);
    await fixture.submit();
    fixture.now += TTL_MS;
    assert.deepEqual(await fixture.claim(), []);
  });

  placeConformance(open);
}

function placeConformance(open: OpenStore): void {
  test("a job that is dispatched again keeps its place", async (t) => {
    const fixture = await Fixture.set(open, t);
    const ids = [await fixture.submit(), await fixture.submit(), await fixture.submit()];
    await fixture.claim(2);
    await fixture.requeue(ids[1]!);
    await fixture.requeue(ids[0]!, "requeue");
    assert.deepEqual(await fixture.claim(3), ids);
  });

  test("a retried job keeps its place", async (t) => {
    const fixture = await Fixture.set(open, t);
    const ids = [await fixture.submit(), await fixture.submit()];
    await fixture.claim();
    await fixture.finish(ids[0]!, { error: "no" });
    await fixture.store.write(retryJob, ids[0]!, "e", fixture.now);
    assert.deepEqual(await fixture.claim(2), ids);
  });
}

function releaseConformance(open: OpenStore): void {
  test("a claim is given back once, also where the same worker has the job again", async (t) => {
    const fixture = await Fixture.set(open, t);
    const id = await fixture.submit();
    await fixture.claim();
    const { seq } = await fixture.job(id);
    const first = { seq, attempts: 1 };
    await fixture.store.write(releaseClaim, first, "w", fixture.now);
    assert.equal(await fixture.state(id), "IN_QUEUE");
    assert.deepEqual(await fixture.claim(), [id]);
    // The answer to the commit was lost, so that the call is repeated.
    await fixture.store.write(releaseClaim, first, "w", fixture.now);
    assert.equal(await fixture.state(id), "IN_PROGRESS");
  });
}
