// Tests of the Idempotency-Key of a submit: a client without a response may repeat it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";

test("the same key and body create one job, and another body is a conflict", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const run = (body: unknown, key: string) =>
    service.call("POST", `/v2/${endpoint}/run`, body, { "idempotency-key": key });
  const first = await run({ input: { n: 1 } }, "a");
  const again = await run({ input: { n: 1 } }, "a");
  assert.equal(again.text, first.text);
  const other = await run({ input: { n: 2 } }, "a");
  assert.equal(other.status, 409);
  assert.equal(other.json.code, "idempotency_conflict");
  const policy = await run({ input: { n: 1 }, policy: { priority: 1 } }, "a");
  assert.equal(policy.status, 409);
  const own = await run({ input: { n: 1 } }, "b");
  assert.notEqual(own.json.id, first.json.id);
  const { jobs } = (await service.call("GET", `/v2/${endpoint}/health`)).json;
  assert.equal(jobs.inQueue, 2);
});

test("concurrent requests with one key create one job", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const headers = { "idempotency-key": "k" };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      service.call("POST", `/v2/${endpoint}/run`, { input: {} }, headers),
    ),
  );
  assert.equal(new Set(answers.map(({ json }) => json.id)).size, 1);
});
