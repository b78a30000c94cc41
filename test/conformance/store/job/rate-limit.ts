// Laws of rate limits: held jobs enter at their pace by priority and age, and a key without jobs is forgotten.

import assert from "node:assert/strict";
import { test } from "node:test";
import { topic } from "../../../../src/store/engine/notifier.ts";
import { jobCounts } from "../../../../src/store/job/load.ts";
import { nextRateDue } from "../../../../src/store/job/schedule/rate-limit.ts";
import { endJob, expireQueued } from "../../../../src/transactions/job/end.ts";
import { retryJob } from "../../../../src/transactions/job/retry.ts";
import { releaseDue } from "../../../../src/transactions/job/schedule/release.ts";
import { Fixture, type OpenStore } from "../fixture.ts";

const api = { key: "api", limit: 1, period: 10, burst: 1 };
const GAP_MS = 10_000;

export function rateLimitConformance(open: OpenStore): void {
  test("held jobs enter one by one, by priority and then by age", async (t) => {
    const fixture = await Fixture.set(open, t);
    const ids = await fixture.submitAll(3, { rateLimit: api });
    const urgent = await fixture.submit({ rateLimit: api, priority: 1 });
    const free = await fixture.submit();
    assert.deepEqual(await counts(fixture), { inQueue: 2, delayed: 3, inProgress: 0 });
    assert.deepEqual(await fixture.claim(5), [ids[0], free]);
    const held = await fixture.job(ids[1]!);
    assert.deepEqual([held.state, "heldBy" in held && held.heldBy], ["DELAYED", "rate"]);
    const order: string[] = [];
    for (let n = 0; n < 3; n++) {
      assert.equal(await fixture.store.read(nextRateDue), fixture.now + GAP_MS);
      fixture.now += GAP_MS - 1;
      await release(fixture);
      assert.deepEqual(await fixture.claim(5), []);
      fixture.now += 1;
      const notified = fixture.store.notifier.subscribe(topic.queue("e"));
      await release(fixture);
      assert.ok(notified.signalled, "a worker is told");
      notified.close();
      order.push(...(await fixture.claim(5)));
    }
    assert.deepEqual(order, [urgent, ids[1], ids[2]]);
    assert.deepEqual(await counts(fixture), { inQueue: 0, delayed: 0, inProgress: 5 });
    fixture.now += 10 * 60_000;
    await release(fixture);
    assert.equal(Number(await fixture.value("select count(*) from rate_key")), 0);
  });

  test("after a long stop jobs go on at their pace", async (t) => {
    const fixture = await Fixture.set(open, t);
    await fixture.submitAll(9, { rateLimit: { ...api, burst: 2 } });
    assert.equal((await fixture.claim(9)).length, 2);
    fixture.now += 6 * GAP_MS;
    await release(fixture);
    assert.equal((await fixture.claim(9)).length, 2);
    fixture.now += GAP_MS;
    await release(fixture);
    assert.equal((await fixture.claim(9)).length, 1);
  });

  test("the pace of the newest submission holds for all jobs of the key", async (t) => {
    const fixture = await Fixture.set(open, t);
    await fixture.submitAll(3, { rateLimit: { ...api, period: 1_000 } });
    await fixture.claim(5);
    fixture.now += 1_000_000;
    await fixture.submit({ rateLimit: { ...api, period: 1 } });
    assert.equal((await fixture.claim(5)).length, 1);
    fixture.now += 1_000;
    await release(fixture);
    assert.equal((await fixture.claim(5)).length, 1);
  });

  rateLimitsBesideOthers(open);
}

function rateLimitsBesideOthers(open: OpenStore): void {
  test("a job of both keys has a slot while its rate limit holds it, and gives it back", async (t) => {
    const fixture = await Fixture.set(open, t);
    const both = { concurrency: { key: "user", limit: 2 }, rateLimit: api };
    const ids = await fixture.submitAll(4, both);
    const holds = async () =>
      Promise.all(
        ids.map(async (id) => {
          const job = await fixture.job(id);
          return job.state === "DELAYED" ? job.heldBy : job.state;
        }),
      );
    assert.deepEqual(await holds(), ["IN_QUEUE", "rate", "concurrency", "concurrency"]);
    await fixture.store.write(endJob, ids[1]!, { event: "cancel", error: "no" }, fixture.now);
    assert.deepEqual(await holds(), ["IN_QUEUE", "CANCELLED", "rate", "concurrency"]);
    fixture.now += GAP_MS;
    await release(fixture);
    assert.deepEqual(await holds(), ["IN_QUEUE", "CANCELLED", "IN_QUEUE", "concurrency"]);
    await fixture.claim(1);
    await fixture.finish(ids[0]!);
    assert.deepEqual((await holds()).slice(2), ["IN_QUEUE", "rate"]);
  });

  test("a delayed job and a retried one enter at the pace, and a held one times out", async (t) => {
    const fixture = await Fixture.set(open, t);
    const later = await fixture.submit({ rateLimit: api, startAt: fixture.now + 60_000 });
    const first = await fixture.submit({ rateLimit: api });
    const short = await fixture.submit({ rateLimit: api, ttlMs: 5_000 });
    await fixture.claim(1);
    await fixture.finish(first, { error: "no" });
    await fixture.store.write(retryJob, first, "e", fixture.now);
    assert.equal(await fixture.state(first), "DELAYED");
    fixture.now += 5_000;
    await fixture.store.write(expireQueued, fixture.now, 10);
    assert.equal(await fixture.state(short), "TIMED_OUT");
    fixture.now += 55_000;
    await release(fixture);
    assert.deepEqual(await fixture.claim(5), [later]);
    fixture.now += GAP_MS;
    await release(fixture);
    assert.deepEqual(await fixture.claim(5), [first]);
  });
}

const release = (fixture: Fixture) => fixture.store.write(releaseDue, fixture.now, 100);

async function counts(fixture: Fixture) {
  const { inQueue, delayed, inProgress } = await fixture.store.read(jobCounts, "e");
  return { inQueue, delayed, inProgress };
}
