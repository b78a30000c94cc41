// Tests of rate limits through the queue.

import assert from "node:assert/strict";
import { suite, type TestContext, test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { SkewedClock } from "../fixtures/time/skewed-clock.ts";
import { until } from "../fixtures/until.ts";

const START = "2027-01-04T00:00:00.000Z";

suite("rate limits", { concurrency: 4 }, () => {
  test("jobs of a key enter at the pace of its limit, and say why they wait", async (t) => {
    const { service, submit, statuses, advance } = await setUp(t);
    const rateLimit = { key: "api", limit: 1, period: 1_000 };
    const ids = [
      await submit({ rateLimit }),
      await submit({ rateLimit }),
      await submit({ rateLimit }),
    ];
    const free = await submit({});
    assert.deepEqual(await statuses([...ids, free]), ["ready", "rate", "rate", "ready"]);
    const { json: job } = await service.call("GET", `/v1/jobs/${ids[2]}`);
    assert.deepEqual([job.status, job.rateLimit], ["IN_QUEUE", { ...rateLimit, burst: 1 }]);
    const { json: why } = await service.call("GET", `/v1/why/${ids[2]}`);
    assert.equal(why.code, "rate_limit");
    assert.match(
      why.sentence,
      /"api".* 1 job with the key enters the queue per 16 min 40 s.*1 held job is/,
    );
    assert.equal(why.evidence.rateLimit.ahead, 1);
    await advance(1_000_000);
    await until(async () => (await statuses(ids)).join() === "ready,ready,rate");
    await advance(900_000);
    assert.deepEqual(await statuses(ids), ["ready", "ready", "rate"]);
    await advance(100_000);
    await until(async () => (await statuses(ids)).join() === "ready,ready,ready");
  });

  test("a burst enters at once", async (t) => {
    const { submit, statuses } = await setUp(t);
    const rateLimit = { key: "api", limit: 1, period: 1_000, burst: 2 };
    const ids = [
      await submit({ rateLimit }),
      await submit({ rateLimit }),
      await submit({ rateLimit }),
    ];
    assert.deepEqual(await statuses(ids), ["ready", "ready", "rate"]);
  });

  test("a job with both keys takes a slot first, and keeps it while its rate limit holds it", async (t) => {
    const { service, at, submit, statuses } = await setUp(t);
    const rateLimit = { key: "api", limit: 1, period: 1_000 };
    const concurrency = { key: "user-7", limit: 2 };
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push(await submit({ rateLimit, concurrency }));
    assert.deepEqual(await statuses(ids), ["ready", "rate", "concurrency"]);
    await service.call("POST", `${at}/cancel/${ids[0]}`);
    assert.deepEqual(await statuses(ids.slice(1)), ["rate", "rate"]);
  });

  test("a delayed job counts at its instant, and a retried one again", async (t) => {
    const { service, submit, statuses, advance } = await setUp(t);
    const rateLimit = { key: "api", limit: 1, period: 1_000 };
    const later = await submit({ rateLimit, delay: 3_000 });
    const now = await submit({ rateLimit });
    assert.deepEqual(await statuses([later, now]), ["delayed", "ready"]);
    await advance(3_000_000);
    await until(async () => (await statuses([later])).join() === "ready");
    const failed = await service.makeEndpoint();
    const worker = await service.makeWorker(failed);
    const { json } = await service.call("POST", `/v2/${failed}/run`, {
      input: {},
      policy: { rateLimit },
    });
    await worker.call("job-take");
    await worker.call(`job-done/${json.id}`, "", JSON.stringify({ error: "no" }));
    await service.call("POST", `/v2/${failed}/retry/${json.id}`);
    assert.deepEqual(await statuses([json.id]), ["rate"]);
    await advance(1_000_000);
    await until(async () => (await statuses([json.id])).join() === "ready");
  });

  test("purge and cancel end held jobs", async (t) => {
    const { service, at, submit } = await setUp(t);
    const rateLimit = { key: "api", limit: 1, period: 1_000 };
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push(await submit({ rateLimit }));
    await service.call("POST", `${at}/cancel/${ids[1]}`);
    const { json: purged } = await service.call("POST", `${at}/purge-queue`);
    assert.equal(purged.removed, 2);
  });

  test("a rate limit that makes no sense is refused in a sentence", async (t) => {
    const { service, at } = await setUp(t);
    const good = { key: "api", limit: 1, period: 1_000 };
    const refused: [rateLimit: unknown, sentence: RegExp][] = [
      ["api", /policy\.rateLimit/],
      [{ limit: 1, period: 1 }, /policy\.rateLimit\.key/],
      [{ ...good, key: "x".repeat(1_024) }, /policy\.rateLimit\.key.*256/],
      [{ ...good, limit: 0 }, /policy\.rateLimit\.limit/],
      [{ ...good, period: 0.5 }, /policy\.rateLimit\.period/],
      [{ ...good, period: 604_801 }, /policy\.rateLimit\.period/],
      [{ ...good, burst: 0 }, /policy\.rateLimit\.burst/],
      [{ ...good, more: 1 }, /more/],
    ];
    for (const [rateLimit, sentence] of refused) {
      const answer = await service.call("POST", `${at}/run`, { input: {}, policy: { rateLimit } });
      assert.equal(answer.status, 400, JSON.stringify(rateLimit));
      assert.match(answer.text, sentence);
    }
  });
});

async function setUp(t: TestContext) {
  const clock = new SkewedClock(START);
  const service = await startService(t, { clock });
  const endpoint = await service.makeEndpoint();
  const at = `/v2/${endpoint}`;
  const submit = async (policy: object): Promise<string> => {
    const { json, status } = await service.call("POST", `${at}/run`, { input: {}, policy });
    assert.equal(status, 200);
    return json.id;
  };
  const statusOf = async (id: string): Promise<string> => {
    const { json } = await service.call("GET", `/v1/jobs/${id}`);
    return json.heldBy ?? (json.runAt ? "delayed" : "ready");
  };
  return {
    service,
    at,
    submit,
    statuses: (ids: string[]) => Promise.all(ids.map(statusOf)),
    advance: (ms: number) => clock.jump(ms),
  };
}
