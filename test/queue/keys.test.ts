// Tests of the keys of queue and worker routes. Refusals of workers are slow, because workers retry
// at once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { markEnded } from "../../src/transactions/worker/observe.ts";
import { startService } from "../fixtures/service/service.ts";

test("every route accepts its key bare or as Bearer, and no other key", async (t) => {
  const service = await startService(t, { protocol: { refuseHoldMs: 10 } });
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const at = `/v2/${endpoint}`;
  const health = (authorization: string) =>
    service.call("GET", `${at}/health`, undefined, { authorization });
  const ping = (authorization: string) =>
    service.call("GET", `${at}/ping/${worker.id}`, undefined, { authorization });
  for (const form of [(key: string) => key, (key: string) => `Bearer ${key}`]) {
    assert.equal((await health(form(service.key))).status, 200);
    assert.equal((await ping(form(worker.key))).status, 200);
    for (const wrong of ["", " ", "nonsense", `${service.key}x`]) {
      const refused = await health(form(wrong));
      assert.equal(refused.status, 401, form(wrong));
      assert.equal(typeof refused.json.error, "string");
      assert.equal((await ping(form(wrong))).status, 401);
    }
  }
});

test("a worker's key is accepted by its own routes only, and a client's by no worker route", async (t) => {
  const service = await startService(t, { protocol: { refuseHoldMs: 10 } });
  const endpoint = await service.makeEndpoint();
  const other = await service.makeEndpoint();
  const [mine, peer] = [await service.makeWorker(endpoint), await service.makeWorker(endpoint)];
  const otherAccount = await service.makeWorker(other);
  const { json: job } = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  await mine.call("job-take");
  const as = (authorization: string, method: string, path: string, body?: unknown) =>
    service.call(method, path, body, { authorization });

  for (const path of [`/v2/${endpoint}/run`, `/v2/${other}/run`]) {
    assert.equal((await as(mine.key, "POST", path, { input: {} })).status, 403);
  }
  const done = (id: string) => `/v2/${endpoint}/job-done/${id}/${job.id}`;
  assert.equal((await as(service.key, "POST", done(mine.id), { output: 1 })).status, 403);
  assert.equal((await as(peer.key, "POST", done(mine.id), { output: 1 })).status, 403);
  assert.equal((await as(peer.key, "POST", done(peer.id), { output: 1 })).status, 404);
  const foreign = `/v2/${other}/job-done/${otherAccount.id}/${job.id}`;
  assert.equal((await as(otherAccount.key, "POST", foreign, { output: 1 })).status, 404);
  const { json } = await service.call("GET", `/v2/${endpoint}/status/${job.id}`);
  assert.equal(json.status, "IN_PROGRESS");
  // An entry point that expands no variables sends the variable's name as the id.
  assert.equal((await as(mine.key, "POST", done("$RUNPOD_POD_ID"), { output: 1 })).status, 200);
});

test("a key that only reads takes no chunk from those that follow a job", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const worker = await service.makeWorker(endpoint);
  const body = { name: "reads", permissions: { queue: "read" } };
  const { json: reader } = await service.call("POST", "/v1/keys", body);
  const { json: job } = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  await worker.call("job-take");
  for (const output of [1, 2]) {
    await worker.call(`job-stream/${job.id}`, "", JSON.stringify({ output }));
  }
  const outputs = async (method: string, key: string, query = "") => {
    const path = `/v2/${endpoint}/stream/${job.id}${query}`;
    const { json } = await service.call(method, path, undefined, {
      authorization: `Bearer ${key}`,
    });
    return json.stream.map(({ output }: { output: unknown }) => output);
  };
  for (const method of ["GET", "POST"]) {
    assert.deepEqual(await outputs(method, reader.key), [1, 2], method);
  }
  assert.deepEqual(await outputs("GET", reader.key, "?from=1"), [2]);
  assert.deepEqual(await outputs("GET", service.key), [1, 2]);
  assert.deepEqual(await outputs("GET", service.key, "?wait=0"), []);
  assert.deepEqual(await outputs("GET", reader.key, "?wait=0"), []);
});

test("a refused poll is held, so that no client polls in a tight loop", async (t) => {
  const service = await startService(t, { protocol: { refuseHoldMs: 400 } });
  const endpoint = await service.makeEndpoint();
  const { id } = await service.makeWorker(endpoint);
  for (const route of ["job-take", "job-take-batch", "job-stop", "ping"]) {
    const startedAt = performance.now();
    const path = `/v2/${endpoint}/${route}/${id}?x=1`;
    const refused = await service.call("GET", path, undefined, { authorization: "old" });
    assert.equal(refused.status, 401);
    assert.ok(performance.now() - startedAt > 390, route);
  }
});

test("the key of an ended worker is rejected", async (t) => {
  const service = await startService(t, { protocol: { refuseHoldMs: 10 } });
  const worker = await service.makeWorker(await service.makeEndpoint());
  assert.equal((await worker.call("ping")).status, 200);
  const end = { at: Date.now(), exitCode: 0, signal: null };
  await service.service.store.write(markEnded, worker.id, end);
  assert.equal((await worker.call("ping")).status, 401);
  assert.equal((await worker.call("job-take")).status, 401);
});
