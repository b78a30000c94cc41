// Whose key opens what, and how workers are refused: slowly, for they ask again at once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startHouse } from "../house.ts";

test("every route takes a key bare or as Bearer, and no other key", async (t) => {
  const house = await startHouse(t, { protocol: { refuseHoldMs: 10 } });
  const endpoint = await house.makeEndpoint();
  const worker = await house.makeWorker(endpoint);
  const at = `/v2/${endpoint}`;
  const health = (authorization: string) =>
    house.call("GET", `${at}/health`, undefined, { authorization });
  const ping = (authorization: string) =>
    house.call("GET", `${at}/ping/${worker.id}`, undefined, { authorization });
  for (const form of [(key: string) => key, (key: string) => `Bearer ${key}`]) {
    assert.equal((await health(form(house.key))).status, 200);
    assert.equal((await ping(form(worker.key))).status, 200);
    for (const wrong of ["", " ", "nonsense", `${house.key}x`]) {
      const refused = await health(form(wrong));
      assert.equal(refused.status, 401, form(wrong));
      assert.equal(typeof refused.json.error, "string");
      assert.equal((await ping(form(wrong))).status, 401);
    }
  }
});

test("a worker's key opens its own routes only, and a client's opens no worker's", async (t) => {
  const house = await startHouse(t, { protocol: { refuseHoldMs: 10 } });
  const endpoint = await house.makeEndpoint();
  const other = await house.makeEndpoint();
  const [mine, neighbour] = [await house.makeWorker(endpoint), await house.makeWorker(endpoint)];
  const stranger = await house.makeWorker(other);
  const { json: job } = await house.call("POST", `/v2/${endpoint}/run`, { input: {} });
  await mine.call("job-take");
  const as = (authorization: string, method: string, path: string, body?: unknown) =>
    house.call(method, path, body, { authorization });

  for (const path of [`/v2/${endpoint}/run`, `/v2/${other}/run`]) {
    assert.equal((await as(mine.key, "POST", path, { input: {} })).status, 403);
  }
  const done = (id: string) => `/v2/${endpoint}/job-done/${id}/${job.id}`;
  assert.equal((await as(house.key, "POST", done(mine.id), { output: 1 })).status, 403);
  assert.equal((await as(neighbour.key, "POST", done(mine.id), { output: 1 })).status, 403);
  assert.equal((await as(neighbour.key, "POST", done(neighbour.id), { output: 1 })).status, 404);
  const foreign = `/v2/${other}/job-done/${stranger.id}/${job.id}`;
  assert.equal((await as(stranger.key, "POST", foreign, { output: 1 })).status, 404);
  const { json } = await house.call("GET", `/v2/${endpoint}/status/${job.id}`);
  assert.equal(json.status, "IN_PROGRESS");
  // An entry point that expands nothing leaves the variable's name where the id should be.
  assert.equal((await as(mine.key, "POST", done("$RUNPOD_POD_ID"), { output: 1 })).status, 200);
});

test("a refused poll is held, so that nobody can spin", async (t) => {
  const house = await startHouse(t, { protocol: { refuseHoldMs: 400 } });
  const endpoint = await house.makeEndpoint();
  const { id } = await house.makeWorker(endpoint);
  for (const route of ["job-take", "job-take-batch", "job-stop", "ping"]) {
    const asked = performance.now();
    const path = `/v2/${endpoint}/${route}/${id}?x=1`;
    const refused = await house.call("GET", path, undefined, { authorization: "old" });
    assert.equal(refused.status, 401);
    assert.ok(performance.now() - asked > 390, route);
  }
});

test("the key of a worker that has ended opens nothing", async (t) => {
  const house = await startHouse(t, { protocol: { refuseHoldMs: 10 } });
  const { markEnded } = await import("../../src/store/worker/worker.ts");
  const worker = await house.makeWorker(await house.makeEndpoint());
  assert.equal((await worker.call("ping")).status, 200);
  const end = { at: Date.now(), exitCode: 0, signal: null };
  await house.house.store.write(markEnded, worker.id, end);
  assert.equal((await worker.call("ping")).status, 401);
  assert.equal((await worker.call("job-take")).status, 401);
});
