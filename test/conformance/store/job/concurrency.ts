// Laws of concurrency keys: for any operations in any order, the admitted jobs of a key never exceed its limit,
// and no job is held while its key has a free slot.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import type { NewJob } from "../../../../src/domain/job/job.ts";
import { topic } from "../../../../src/store/engine/notifier.ts";
import type { Store } from "../../../../src/store/engine/store.ts";
import { jobCounts } from "../../../../src/store/job/load.ts";
import { endJob, expireQueued } from "../../../../src/transactions/job/end.ts";
import { retryJob } from "../../../../src/transactions/job/retry.ts";
import { forgetKeys } from "../../../../src/transactions/job/schedule/forget-keys.ts";
import { releaseDue, touchSkipped } from "../../../../src/transactions/job/schedule/release.ts";
import { checkInvariants } from "../contents.ts";
import { Fixture, KEEP_MS, type OpenStore } from "../fixture.ts";
import { JobNames, perform, step, WORKERS } from "../step.ts";

const one = { key: "one", limit: 1 };

/** Limits that the jobs of a history name in turn: one job in four has no key. */
const KEYS = [one, { key: "three", limit: 3 }, { key: "ÄÖ/%'", limit: 2 }, null];

/** Rate limits likewise: three jobs in five have none. */
const RATES = [
  null,
  { key: "api", limit: 100, period: 1, burst: 2 },
  null,
  { key: "slow", limit: 1, period: 20, burst: 1 },
  null,
];

/** Gives each of its jobs a key, so that the steps of random histories need not. */
class KeyedFixture extends Fixture {
  #keyed = 0;

  override newJob(overrides: Partial<NewJob> = {}): NewJob {
    const n = this.#keyed++;
    const concurrency = KEYS[n % KEYS.length]!;
    return super.newJob({ concurrency, rateLimit: RATES[n % RATES.length]!, ...overrides });
  }
}

export function concurrencyConformance(open: OpenStore, histories: number): void {
  test("a job beyond the limit of its key is held until one of them ends", async (t) => {
    const fixture = await Fixture.set(open, t);
    const ids = await fixture.submitAll(3, { concurrency: one });
    const other = await fixture.submit();
    assert.deepEqual(await counts(fixture), { inQueue: 2, delayed: 2, inProgress: 0 });
    assert.deepEqual(await fixture.claim(5), [ids[0], other]);
    const held = await fixture.job(ids[1]!);
    assert.deepEqual([held.state, "heldBy" in held && held.heldBy], ["DELAYED", "concurrency"]);
    fixture.now += 5_000;
    const notified = fixture.store.notifier.subscribe(topic.queue("e"));
    await fixture.finish(ids[0]!);
    assert.ok(notified.signalled, "a worker is told of the next one");
    notified.close();
    assert.deepEqual(await fixture.claim(5), [ids[1]]);
    assert.equal((await fixture.job(ids[1]!)).queuedAt, fixture.now, "its delay counts from then");
    await fixture.store.write(endJob, ids[1]!, { event: "cancel", error: "no" }, fixture.now);
    assert.deepEqual(await fixture.claim(5), [ids[2]]);
    const forget = () => fixture.store.write(forgetKeys, null, 1, fixture.now);
    assert.equal((await forget()).count, 0);
    await fixture.finish(ids[2]!);
    assert.equal((await forget()).count, 1);
    assert.equal(await fixture.value("select count(*) from concurrency_key"), 0);
  });

  test("the limit of the newest submission holds for all jobs of the key", async (t) => {
    const fixture = await Fixture.set(open, t);
    await fixture.submitAll(4, { concurrency: one });
    await fixture.submit({ concurrency: { key: "one", limit: 3 } });
    assert.equal((await counts(fixture)).inQueue, 3);
    await fixture.submit({ concurrency: { key: "one", limit: 2 } });
    const [first, second] = await fixture.claim(5);
    await fixture.finish(first!);
    assert.equal((await fixture.claim(5)).length, 0, "2 of the lowered limit still run");
    await fixture.finish(second!);
    assert.equal((await fixture.claim(5)).length, 1);
  });

  test("of the submissions of one batch, the last one names the limit", async (t) => {
    const fixture = await Fixture.set(open, t);
    await fixture.submit({ concurrency: one });
    const submitAtOnce = (...limits: number[]) =>
      Promise.all(limits.map((limit) => fixture.submit({ concurrency: { key: "one", limit } })));
    await submitAtOnce(9, 2);
    assert.deepEqual(await counts(fixture), { inQueue: 2, delayed: 1, inProgress: 0 });
    await submitAtOnce(2, 9, 4);
    assert.deepEqual(await counts(fixture), { inQueue: 4, delayed: 2, inProgress: 0 });
  });

  test("jobs of a key enter at the end of the queue, so that another key's do not wait for all of them", async (t) => {
    const fixture = await Fixture.set(open, t);
    const many = await fixture.submitAll(6, { concurrency: { key: "many", limit: 2 } });
    const few = await fixture.submitAll(2, { concurrency: { key: "few", limit: 2 } });
    const urgent = await fixture.submit({ priority: 1, concurrency: { key: "many", limit: 2 } });
    const order: string[] = [];
    for (;;) {
      const [next] = await fixture.claim(1);
      if (next === undefined) break;
      order.push(next);
      await fixture.finish(next);
    }
    assert.deepEqual(order.slice(0, 3), [many[0], urgent, many[1]]);
    assert.deepEqual(order.slice(3, 5), few, "at most `limit` jobs of the other key are ahead");
    assert.deepEqual(order.slice(5), many.slice(2));
  });

  waitingConformance(open);
  randomConformance(open, histories);
}

function waitingConformance(open: OpenStore): void {
  test("a held job ends with its time to live", async (t) => {
    const fixture = await Fixture.set(open, t);
    await fixture.submit({ concurrency: one });
    const id = await fixture.submit({ concurrency: one, ttlMs: 10_000 });
    fixture.now += 10_000;
    await fixture.store.write(expireQueued, fixture.now, 10);
    assert.equal(await fixture.state(id), "TIMED_OUT");
    assert.deepEqual(await counts(fixture), { inQueue: 1, delayed: 0, inProgress: 0 });
  });

  test("a delayed or retried job waits for a slot of its key", async (t) => {
    const fixture = await Fixture.set(open, t);
    const startAt = fixture.now + 60_000;
    const later = await fixture.submit({ startAt, concurrency: one });
    const failed = await fixture.submit({ concurrency: one });
    await fixture.claim();
    await fixture.finish(failed, { error: "no" });
    const running = await fixture.submit({ concurrency: one });
    assert.equal(await fixture.store.write(retryJob, failed, "e", fixture.now), null);
    fixture.now = startAt;
    assert.equal(await fixture.store.write(releaseDue, fixture.now, 10), 1);
    assert.deepEqual(await fixture.claim(5), [running]);
    await fixture.finish(running);
    assert.deepEqual(await fixture.claim(5), [later]);
    await fixture.finish(later);
    assert.deepEqual(await fixture.claim(5), [failed]);
  });
}

function randomConformance(open: OpenStore, histories: number): void {
  test("for any operations, no key exceeds its limit, and none of its jobs waits in vain", async (t) => {
    await fc.assert(
      fc.asyncProperty(anyHistory(1), async (moments) => {
        await runHistory([await open(t)], moments);
      }),
      { numRuns: histories },
    );
  });
}

/** Steps that run at the same time, each on one of the replicas, and how much time passes after them. */
function anyHistory(replicas: number) {
  const moment = fc.record({
    steps: fc.array(fc.record({ replica: fc.nat({ max: replicas - 1 }), step }), {
      minLength: 1,
      maxLength: 8,
    }),
    passesMs: fc.constantFrom(0, 1, 20_000, KEEP_MS),
  });
  return fc.array(moment, { minLength: 20, maxLength: 60 });
}

type History = ReturnType<typeof anyHistory> extends fc.Arbitrary<infer Moments> ? Moments : never;

/** The same laws for replicas that share a database. */
export function concurrencyRaces(
  open: (t: TestContext) => Promise<Store[]>,
  histories: number,
): void {
  test("concurrent replicas never exceed the limit of a key", async (t) => {
    await fc.assert(
      fc.asyncProperty(anyHistory(2), async (moments) => runHistory(await open(t), moments)),
      { numRuns: histories },
    );
  });
}

async function runHistory(stores: Store[], moments: History): Promise<void> {
  const [first, ...others] = stores.map((store) => new KeyedFixture(store));
  await first!.prepare();
  for (const id of WORKERS.slice(1)) await first!.worker(id);
  const fixtures = [first!, ...others];
  const names = new JobNames();
  for (const { steps, passesMs } of moments) {
    const calls = steps.map(({ replica, step: each }) =>
      perform(fixtures[replica]!, each, names.idFor(each)),
    );
    const sweep = fixtures.at(-1)!.store.write(forgetKeys, null, 100, first!.now);
    // A step that fails on purpose is one of them.
    await Promise.allSettled(calls);
    await sweep;
    if (stores.length > 1) await first!.store.write(touchSkipped, first!.now, 100);
    await checkInvariants(first!);
    await checkKeys(first!);
    for (const fixture of fixtures) fixture.now += passesMs;
  }
  for (const store of stores) await store.close();
}

async function checkKeys(fixture: Fixture): Promise<void> {
  const count = async (where: string, key: string) =>
    Number(
      await fixture.value(`select count(*) from job where concurrency_key = ? and ${where}`, key),
    );
  for (const concurrency of KEYS) {
    if (concurrency === null) continue;
    const { key, limit } = concurrency;
    const admitted = await count(
      "(state in ('IN_QUEUE', 'IN_PROGRESS') or state = 'DELAYED' and held_by = 'rate')",
      key,
    );
    assert.ok(admitted <= limit, `${admitted} jobs of ${key} are admitted, ${limit} may be`);
    const held = await count("state = 'DELAYED' and held_by = 'concurrency'", key);
    assert.ok(held === 0 || admitted === limit, `${held} jobs of ${key} wait for a free slot`);
  }
  const states = ["IN_QUEUE", "DELAYED", "IN_PROGRESS"].map((state) => `state = '${state}'`);
  const numbers = states.map((state) => fixture.value(`select count(*) from job where ${state}`));
  const { inQueue, delayed, inProgress } = await fixture.store.read(jobCounts, "e");
  assert.deepEqual([inQueue, delayed, inProgress], (await Promise.all(numbers)).map(Number));
}

async function counts(fixture: Fixture) {
  const { inQueue, delayed, inProgress } = await fixture.store.read(jobCounts, "e");
  return { inQueue, delayed, inProgress };
}
