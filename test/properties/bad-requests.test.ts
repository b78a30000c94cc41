// Tests that a bad request is rejected with a fault of the catalog, changes nothing, and does not
// affect the next request.

import assert from "node:assert/strict";
import path from "node:path";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { type FaultCode, faultCatalog } from "../../src/domain/fault-catalog.ts";
import { startService } from "../fixtures/service/service.ts";
import { type Bad, badRequests, largeRequests, type Scene } from "./bad-requests.ts";
import { Dump } from "./dump.ts";
import { breakOff, bytesOf, exchange } from "./raw-http.ts";

const RUNS = Number(process.env.FREEHOLD_PROPERTY_RUNS ?? 2_000);

async function begin(t: TestContext) {
  const service = await startService(t, { protocol: { refuseHoldMs: 0, pollHoldMs: 60_000 } });
  const endpointId = await service.makeEndpoint();
  const [worker, other] = [
    await service.makeWorker(endpointId),
    await service.makeWorker(endpointId),
  ];
  const submit = async () =>
    (await service.call("POST", `/v2/${endpointId}/run`, { input: { a: 1 } })).json.id as string;
  const held = await submit();
  assert.equal((await other.call("job-take")).json.id, held);
  const scene: Scene = {
    endpointId,
    key: service.key,
    worker,
    other: { id: other.id, key: other.key, jobId: held },
    queuedId: await submit(),
  };
  const port = Number(new URL(service.origin).port);
  const dump = new Dump(path.join(service.dataFolder, "freehold.db"));
  t.after(() => dump.close());
  const before = dump.take();
  const counts = new Map<string, number>();
  const send = async ({ what, bytes }: Bad) => {
    const reply = await exchange(port, bytes);
    assert.ok(reply, `${what}: no reply`);
    const text = `${what}: ${reply.status} ${reply.body.slice(0, 300)}`;
    assert.match(reply.headers.get("content-type") ?? "", /^application\/json/, text);
    const body = JSON.parse(reply.body) as Record<string, unknown>;
    assert.deepEqual(Object.keys(body), ["error", "message", "status", "code"], text);
    const fault = faultCatalog[body.code as FaultCode];
    assert.ok(fault, text);
    assert.equal(fault.status, reply.status, text);
    assert.ok(reply.status >= 400 && reply.status < 500, text);
    const valid = await service.call("GET", `/v2/${endpointId}/status/${scene.queuedId}`);
    assert.equal(valid.json.status, "IN_QUEUE", text);
    assert.equal(dump.take(), before, text);
    const kind = `${reply.status} ${body.code}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  };
  const reportCounts = () => {
    for (const [kind, count] of [...counts].sort()) t.diagnostic(`${count} x ${kind}`);
  };
  return { scene, send, reportCounts, port };
}

test("no bad request changes anything", async (t) => {
  const { scene, send, reportCounts } = await begin(t);
  await fc.assert(fc.asyncProperty(badRequests(scene), send), { numRuns: RUNS });
  reportCounts();
});

test("a large bad request changes nothing either", async (t) => {
  const { scene, send, reportCounts } = await begin(t);
  for (const each of largeRequests(scene)) await send(each);
  reportCounts();
});

test("a ping is accepted in any spelling", async (t) => {
  const service = await startService(t);
  const worker = await service.makeWorker(await service.makeEndpoint());
  for (const query of [
    "?job_id=a&job_id=b&runpod_version=1&runpod_version=2",
    "?job_id=,,&job_id",
    "?job_id=%00&runpod_version=%ff",
    "?__proto__=1&constructor=2",
    "&job_id=a",
  ]) {
    assert.equal((await worker.call("ping", query)).status, 200, query);
  }
});

test("an aborted request leaves nothing behind", async (t) => {
  const { scene, send, port } = await begin(t);
  const whole = bytesOf({
    method: "POST",
    target: `/v2/${scene.endpointId}/run`,
    headers: { authorization: scene.key, "idempotency-key": "half" },
    body: `{"input":{"a":"${"x".repeat(100_000)}"}}`,
  });
  for (let part = 1; part < 20; part++) {
    await breakOff(port, whole.subarray(0, Math.floor((whole.length * part) / 20)));
  }
  await send({ what: "one more", bytes: Buffer.from("nonsense\r\n\r\n") });
});
