// Tests of batches: many jobs in one call, one id to follow, one webhook at the end.

import assert from "node:assert/strict";
import { request } from "node:http";
import { suite, type TestContext, test } from "node:test";
import { row, type Tx } from "../../src/store/engine/statement.ts";
import {
  type ServiceOptions,
  startService,
  type TestService,
  type TestWorker,
} from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { startReceiver } from "../webhook/receiver.ts";

suite("batches", { concurrency: 4 }, () => {
  test("5,000 items become a job each, in order, and each input stays as it was written", async (t) => {
    const { service, endpoint, create, read } = await setUp(t);
    const long = `{"big":9007199254740993, "text":"${"x".repeat(100_000)}"}`;
    const inputs = Array.from({ length: 5_000 }, (_, n) => (n === 7 ? long : `{"n":${n}}`));
    const items = inputs.map((input) => `{"input":${input},"policy":{"priority":1}}`);
    const created = await create(`{"endpointId":"${endpoint}","items":[${items.join(",\n")}]}`);
    assert.deepEqual([created.status, created.json.total], [200, 5_000], created.text);
    const { id } = created.json;
    const running = await until(async () => {
      const batch = await read(id);
      const { counts } = batch;
      assert.equal(sumOf(counts), 5_000);
      return batch.status === "RUNNING" ? batch : null;
    });
    assert.equal(running.counts.inQueue, 5_000);
    assert.equal((await service.call("GET", `/v2/${endpoint}/health`)).json.jobs.inQueue, 5_000);
    const exported = await service.call("GET", `/v1/jobs/export?batchId=${id}`);
    const jobs = exported.text.trim().split("\n");
    assert.equal(jobs.length, 5_000);
    const indexes = jobs.map((line) => JSON.parse(line).batchIndex as number);
    assert.deepEqual(
      indexes.toSorted((a, b) => a - b),
      inputs.map((_, n) => n),
    );
    for (const [n, line] of jobs.entries())
      assert.ok(line.includes(`"input":${inputs[indexes[n]!]}`), `item ${indexes[n]}`);
    const { json: page } = await service.call("GET", `/v1/jobs?batchId=${id}&limit=3`);
    const shown = page.map(({ batchIndex, priority }: Record<string, number>) => [
      batchIndex,
      priority,
    ]);
    assert.deepEqual(
      shown,
      [4_999, 4_998, 4_997].map((n) => [n, 1]),
    );
  });

  test("the webhook is called once, signed, when the last job has ended", async (t) => {
    const { service, endpoint, worker, create, read, settled } = await setUp(t);
    const receiver = await startReceiver(t, [500, 200]);
    const items = [1, 2, 3].map((n) => ({ input: { n } }));
    const { json } = await create({ endpointId: endpoint, items, webhook: receiver.url });
    await until(async () => (await read(json.id)).status === "RUNNING");
    const [first] = await Promise.all([end(worker, '{"output":1}'), end(worker, '{"output":2}')]);
    const midway = await read(json.id);
    assert.deepEqual([midway.status, midway.counts.completed], ["RUNNING", 2]);
    const last = await end(worker, '{"error":"no luck"}');
    const done = await settled(json.id);
    const counts = {
      inQueue: 0,
      inProgress: 0,
      completed: 2,
      failed: 1,
      cancelled: 0,
      timedOut: 0,
    };
    assert.deepEqual([done.status, done.counts], ["COMPLETED", counts]);
    const [refused, sent] = await receiver.sent(2);
    const body = JSON.parse(sent!.body);
    assert.deepEqual([body.id, body.status, body.counts], [json.id, "COMPLETED", counts]);
    assert.equal(sent!.headers["webhook-id"], `msg_${json.id}_1`);
    assert.equal(refused!.headers["webhook-id"], `msg_${json.id}_1`, "a try repeats the message");
    const { deliveries } = await until(async () => {
      const batch = await read(json.id);
      return batch.deliveries[0].state === "delivered" ? batch : null;
    });
    assert.equal(deliveries.length, 1);
    const retried = await service.call("POST", `/v1/jobs/${last}/retry`);
    assert.equal(retried.status, 200, retried.text);
    await end(worker, '{"output":3}');
    const after = await read(json.id);
    assert.deepEqual(
      [after.status, after.counts.completed, after.deliveries.length],
      ["COMPLETED", 3, 1],
    );
    assert.equal((await service.call("GET", `/v1/jobs/${first}`)).json.batchId, json.id);
    assert.equal(receiver.received.length, 2);
  });

  test("counts stay exact once the jobs are deleted", async (t) => {
    const { endpoint, worker, create, settled, service } = await setUp(t, {
      protocol: { keepAsyncMs: 1 },
    });
    await service.call("PATCH", `/v1/endpoints/${endpoint}`, { deadLetterRetentionMs: 0 });
    const items = [1, 2, 3].map((n) => ({ input: { n } }));
    const { json } = await create({ endpointId: endpoint, items });
    await until(async () => (await worker.call("job-take")).json?.id && true);
    const { json: jobs } = await service.call("GET", `/v1/jobs?batchId=${json.id}`);
    const taken = jobs.find(({ status }: { status: string }) => status === "IN_PROGRESS");
    await worker.call(`job-done/${taken.id}`, "", '{"output":1}');
    await end(worker, '{"error":"no luck"}');
    await until(
      async () => (await service.call("POST", `/v2/${endpoint}/purge-queue`)).json.removed,
    );
    const done = await settled(json.id);
    const read = () => service.call("GET", `/v1/batches/${json.id}`);
    await until(async () => {
      function* stored(): Tx<unknown> {
        return yield* row("select 1 from job where batch_id = ?", json.id);
      }
      return (await service.service.store.read(stored)) === undefined;
    });
    assert.deepEqual((await read()).json.counts, done.counts);
    assert.deepEqual([done.counts.completed, done.counts.failed, done.counts.cancelled], [1, 1, 1]);
  });

  test("a cancelled batch ends what waits and what runs, and its webhook says so", async (t) => {
    const { endpoint, worker, create, settled, service } = await setUp(t);
    const receiver = await startReceiver(t);
    const items = Array.from({ length: 1_000 }, (_, n) => ({ input: { n } }));
    const { json } = await create({ endpointId: endpoint, items, webhook: receiver.url });
    await until(async () => (await worker.call("job-take")).json?.id && true);
    const cancelled = await service.call("POST", `/v1/batches/${json.id}/cancel`);
    assert.equal(cancelled.json.status, "CANCELLING", cancelled.text);
    const done = await settled(json.id);
    assert.deepEqual([done.status, done.counts.cancelled], ["CANCELLED", 1_000]);
    const [sent] = await receiver.sent(1);
    assert.equal(JSON.parse(sent!.body).status, "CANCELLED");
    const again = await service.call("POST", `/v1/batches/${json.id}/cancel`);
    assert.equal(again.json.status, "CANCELLED");
    assert.equal((await service.call("GET", `/v2/${endpoint}/health`)).json.jobs.inQueue, 0);
  });

  test("a batch whose endpoint is deleted is cancelled, with the reason", async (t) => {
    const { endpoint, create, settled, service } = await setUp(t);
    const items = Array.from({ length: 2_000 }, (_, n) => ({ input: { n } }));
    const { json } = await create({ endpointId: endpoint, items });
    assert.equal((await service.call("DELETE", `/v1/endpoints/${endpoint}`)).status, 204);
    const done = await settled(json.id);
    assert.deepEqual([done.status, done.counts.cancelled], ["CANCELLED", 2_000]);
    assert.equal(done.reason, "Its endpoint was deleted.");
  });

  test("the same Idempotency-Key creates one batch, and other inputs are a conflict", async (t) => {
    const { endpoint, service } = await setUp(t);
    const create = (n: number) => {
      const body = { endpointId: endpoint, items: [{ input: { n } }] };
      return service.call("POST", "/v1/batches", body, { "idempotency-key": "k" });
    };
    const [first, again] = [await create(1), await create(1)];
    assert.equal(again.json.id, first.json.id);
    assert.equal((await create(2)).json.code, "idempotency_conflict");
    assert.equal((await service.call("GET", "/v1/batches")).json.length, 1);
  });

  test("a batch that cannot run as a whole is refused as a whole", async (t) => {
    const { service, endpoint, create } = await setUp(t);
    const balanced = await service.makeEndpoint({ spec: { type: "LB" } });
    const item = { input: {} };
    const refused: [unknown, number, RegExp][] = [
      [
        { items: Array.from({ length: 5_001 }, () => item) },
        400,
        /"items" has 5001 items; .* 5000/,
      ],
      [{ items: [] }, 400, /"items" must/],
      [{ items: [item, { input: [1] }] }, 400, /"items\[1\].input" must/],
      [{ items: [item, {}] }, 400, /"items\[1\].input" is missing/],
      [{ items: [item, 7] }, 400, /"items\[1\]" must/],
      [{ items: [{ ...item, webhook: "http://x/" }] }, 400, /items\[0\].webhook/],
      [{ items: [item, { ...item, policy: { ttl: 1 } }] }, 400, /"items\[1\].policy.ttl" must/],
      [
        { items: [item, { ...item, policy: { runAt: "soon" } }] },
        400,
        /"items\[1\]": "policy.runAt" must/,
      ],
      [
        { items: [item, { ...item, policy: { tll: "x".repeat(65_536) } }] },
        400,
        /"items\[1\].policy" is longer than 65536 bytes/,
      ],
      [{ items: "x".repeat(1_048_577) }, 400, /longer than 1048576 bytes beside an array "items"/],
      [{ items: [item], webhook: "ftp://x/" }, 400, /"webhook" must/],
      [{ items: [item], endpointId: "nothere" }, 404, /nothere/],
      [{ items: [item], endpointId: balanced }, 400, /has no queue/],
      [
        { items: [item, { input: { text: "x".repeat(10 * 1_048_576) } }] },
        400,
        /"items\[1\].input" has 10485771 bytes; an input has at most 10485760/,
      ],
    ];
    for (const [body, status, sentence] of refused) {
      const answer = await create({ endpointId: endpoint, ...(body as object) });
      assert.equal(answer.status, status, answer.text);
      assert.match(answer.json.message, sentence);
    }
    const { message } = (await create("[]")).json;
    assert.match(message, /must be/);
    assert.deepEqual((await service.call("GET", "/v1/batches")).json, []);
    assert.equal((await service.call("GET", `/v2/${endpoint}/health`)).json.jobs.inQueue, 0);
    assert.equal((await service.call("GET", "/v1/batches/nothere")).json.code, "batch_not_found");
  });

  test("an upload that breaks off leaves nothing behind", async (t) => {
    const { service, endpoint, worker } = await setUp(t);
    const upload = request(`${service.origin}/v1/batches`, {
      method: "POST",
      headers: { authorization: service.key, "content-length": 1_000_000 },
    });
    upload.on("error", () => {});
    const sent = new Promise((resolve) =>
      upload.write(`{"endpointId":"${endpoint}","items":[{"input":{"n":1}},`, resolve),
    );
    await sent;
    upload.destroy();
    // What follows on the same endpoint works, and is all there is.
    const run = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
    assert.equal((await worker.call("job-take")).json.id, run.json.id);
    assert.deepEqual((await service.call("GET", "/v1/batches")).json, []);
  });
});

/** Lets the worker end its next job. Returns the job's id. */
async function end(worker: TestWorker, result: string): Promise<string> {
  const { id } = (await worker.call("job-take")).json;
  await worker.call(`job-done/${id}`, "", result);
  return id;
}

const sumOf = (counts: Record<string, number>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

async function setUp(t: TestContext, { protocol }: ServiceOptions = {}) {
  const service: TestService = await startService(t, {
    protocol: { webhookBackoffMs: [10, 20], ...protocol },
  });
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const create = (body: unknown) => service.call("POST", "/v1/batches", body);
  const read = async (id: string) => (await service.call("GET", `/v1/batches/${id}`)).json;
  const settled = (id: string) =>
    until(async () => {
      const batch = await read(id);
      return batch.finishedAt ? batch : null;
    });
  return { service, endpoint, worker, create, read, settled };
}
