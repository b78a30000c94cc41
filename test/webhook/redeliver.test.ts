// Tests of webhooks over the management interface: the record of every try, and redelivery.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
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

  const settled = async (count: number) => {
    for (let looked = 0; looked < 12_000; looked++) {
      const { deliveries } = (await service.call("GET", address)).json;
      const states = deliveries.map(({ state }: { state: string }) => state);
      if (states.length === count && !states.includes("waiting")) return deliveries;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error("the deliveries still wait");
  };
  const [first] = await settled(1);
  assert.equal(first.state, "failed");
  assert.equal(first.tries.length, 1);
  assert.equal(first.tries[0].status, 503);
  assert.equal(first.tries[0].error, "it answered 503");

  const again = await service.call("POST", `${address}/deliveries/1/redeliver`);
  assert.equal(again.status, 200, again.text);
  assert.deepEqual(
    [again.json.n, again.json.state, again.json.messageId],
    [2, "waiting", first.messageId],
  );
  const [, second] = await settled(2);
  assert.equal(second.state, "delivered");
  const [before, after] = receiver.received;
  assert.equal(after!.headers["webhook-id"], before!.headers["webhook-id"]);
  assert.equal(after!.body, before!.body);
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
