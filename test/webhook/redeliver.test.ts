// Tests of webhooks over the management interface: the record of every try, and redelivery.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { startReceiver } from "./receiver.ts";

test("a failed delivery is repeated on request under the same message id", async (t) => {
  const service = await startService(t, { protocol: { webhookBackoffMs: [] } });
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const receiver = await startReceiver(t, [503, 200]);
  const body = { input: { n: 1 }, webhook: receiver.url };
  const run = await service.call("POST", `/v2/${endpoint}/run`, body);
  const address = `/v1/jobs/${run.json.id}`;
  const early = await service.call("POST", `${address}/deliveries/1/redeliver`);
  assert.deepEqual([early.status, early.json.code], [400, "job_not_ended"]);
  await worker.call("job-take");
  await worker.call(`job-done/${run.json.id}`, "", '{"output":1}');

  const settled = settledDeliveries(service, address);
  const [first] = await settled(["failed"]);
  assert.equal(first.tries.length, 1);
  assert.equal(first.tries[0].status, 503);
  assert.equal(first.tries[0].error, "it answered 503");

  const again = await service.call("POST", `${address}/deliveries/1/redeliver`);
  assert.equal(again.status, 200, again.text);
  assert.deepEqual(
    [again.json.n, again.json.state, again.json.messageId],
    [2, "waiting", first.messageId],
  );
  await settled(["failed", "delivered"]);
  const [before, after] = receiver.received;
  assert.equal(after!.headers["webhook-id"], before!.headers["webhook-id"]);
  assert.equal(after!.body, before!.body);
});

test("a batch's webhook is called again under the same message id, with the batch as it is", async (t) => {
  const service = await startService(t, { protocol: { webhookBackoffMs: [] } });
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const receiver = await startReceiver(t, [503, 200]);
  const body = { endpointId: endpoint, items: [{ input: {} }], webhook: receiver.url };
  const { json: batch } = await service.call("POST", "/v1/batches", body);
  const address = `/v1/batches/${batch.id}`;
  const settled = settledDeliveries(service, address);
  const redeliver = (n: number | string) =>
    service.call("POST", `${address}/deliveries/${n}/redeliver`);
  const early = await redeliver(1);
  assert.deepEqual([early.status, early.json.code], [404, "delivery_not_found"]);
  const take = await until(async () => (await worker.call("job-take")).json);
  await worker.call(`job-done/${take.id}`, "", '{"error":"no luck"}');
  const [first] = await settled(["failed"]);
  assert.equal(first.tries[0].error, "it answered 503");

  await service.call("POST", `/v1/jobs/${take.id}/retry`);
  await until(async () => (await worker.call("job-take")).json);
  await worker.call(`job-done/${take.id}`, "", '{"output":1}');
  const again = await redeliver(1);
  assert.equal(again.status, 200, again.text);
  const { n, state, messageId, tries } = again.json;
  assert.deepEqual([n, state, messageId, tries], [2, "waiting", first.messageId, []]);
  await settled(["failed", "delivered"]);
  const [before, after] = receiver.received;
  assert.equal(after!.headers["webhook-id"], before!.headers["webhook-id"]);
  assert.equal(JSON.parse(before!.body).counts.failed, 1);
  assert.equal(JSON.parse(after!.body).counts.completed, 1);
  for (const unknown of ["3", "0", "x"]) {
    const { status, json } = await redeliver(unknown);
    assert.equal(status, 404);
    assert.equal(json.message, `Batch ${batch.id} has no webhook delivery number ${unknown}.`);
  }
});

test("redelivering an unknown delivery is 404", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const run = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  await service.call("POST", `/v2/${endpoint}/cancel/${run.json.id}`);
  for (const n of ["1", "0", "x", "99999999999"]) {
    const answer = await service.call("POST", `/v1/jobs/${run.json.id}/deliveries/${n}/redeliver`);
    assert.deepEqual([answer.status, answer.json.code], [404, "delivery_not_found"], n);
  }
  const other = await service.call("POST", "/v1/jobs/nobody/deliveries/1/redeliver");
  assert.deepEqual([other.status, other.json.code], [404, "job_not_found"]);
});

/** Waits until the deliveries of a job or a batch have these states. */
const settledDeliveries =
  ({ call }: TestService, address: string) =>
  (states: string[]) =>
    until(async () => {
      const { deliveries } = (await call("GET", address)).json;
      const found = deliveries.map(({ state }: { state: string }) => state);
      return found.join() === states.join() ? deliveries : null;
    });
