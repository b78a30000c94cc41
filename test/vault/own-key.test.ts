// Tests of a Pod's own key: it reads, stops and deletes its Pod, and nothing else.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { PodKeys } from "../../src/flows/pod/own-key.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { startedWorkload } from "../fixtures/service/started-workloads.ts";
import { until } from "../fixtures/until.ts";
import { type PodJson, podsOf, simulatedService } from "../pods/fixture.ts";

const OPEN = path.join(import.meta.dirname, "..", "routes-without-a-key.txt");
const POD = { driver: "simulated", imageName: "i", computeType: "CPU" };

async function startPod(service: TestService, more: object = {}) {
  const { json } = await service.call("POST", "/v1/pods", { ...POD, ...more });
  await until(podsOf(service).reached, (json as PodJson).id);
  const { env } = startedWorkload(service, json.id)!;
  return { id: json.id as string, env, own: { authorization: `Bearer ${env.RUNPOD_API_KEY}` } };
}

test("a Pod's key is valid for that Pod alone, and a modified key is invalid", () => {
  const keys = new PodKeys("ab".repeat(32));
  const secret = keys.secretOf("4k1x");
  assert.match(secret, /^fhp_4k1x_[0-9a-f]{40}$/);
  assert.equal(keys.podOf(secret), "4k1x");
  const other = secret.replace("4k1x", "4k1y");
  const changed = secret.slice(0, -1) + (secret.endsWith("0") ? "1" : "0");
  for (const wrong of [other, changed, secret.slice(0, -1), `${secret}0`, "fhp_4k1x", ""]) {
    assert.equal(keys.podOf(wrong), null, wrong);
  }
  assert.equal(new PodKeys("cd".repeat(32)).podOf(secret), null);
});

test("a Pod's environment has its key and the API's address, unless overridden", async (t) => {
  const service = await simulatedService(t);
  const { json: before } = await service.call("GET", "/v1/keys");
  const { env } = await startPod(service);
  assert.match(env.RUNPOD_API_KEY!, /^fhp_/);
  assert.match(env.RUNPOD_API_URL!, /^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  assert.equal(
    (await startPod(service, { env: { RUNPOD_API_KEY: "mine" } })).env.RUNPOD_API_KEY,
    "mine",
  );
  assert.deepEqual(
    (await service.call("GET", "/v1/keys")).json,
    before,
    "it is none of the account's",
  );
});

test("a Pod's key reads, stops and deletes the Pod, until the Pod is deleted", async (t) => {
  const service = await simulatedService(t);
  const { id, own } = await startPod(service);
  const call = (method: string, address: string, body?: object) =>
    service.call(method, address, body, own);
  const one = `/v1/pods/${id}`;
  assert.equal((await call("GET", one)).json.id, id);
  assert.equal((await call("POST", `${one}/stop`)).json.desiredStatus, "EXITED");
  assert.equal((await call("POST", `${one}/start`)).status, 403);
  const action = `/v2/pods/${id}/action`;
  assert.equal((await call("POST", action, { action: "start" })).status, 403);
  assert.equal((await call("DELETE", one)).status, 204);
  await until(async () => (await call("GET", one)).status === 401 || null, id);
});

test("a Pod's key is rejected by every other operation", async (t) => {
  const service = await simulatedService(t, { protocol: { refuseHoldMs: 0 } });
  const { id, own } = await startPod(service);
  const other = await startPod(service);
  const open = readFileSync(OPEN, "utf8").trim().split("\n");
  const its = [
    "GET /v1/pods/:podId",
    "POST /v1/pods/:podId/stop",
    "DELETE /v1/pods/:podId",
    "POST /v1/pods/:podId/keep",
    "GET /v2/pods/:podId",
    "POST /v2/pods/:podId/action",
    "DELETE /v2/pods/:podId",
  ];
  for (const { method, path } of service.service.routes) {
    const name = `${method} ${path}`;
    if (open.includes(name)) continue;
    const podId = its.includes(name) ? other.id : id;
    const filled = path.replace(":podId", podId).replace(/:\w+/g, id).replace("*", "v1/models");
    const answer = await service.call(method, filled, undefined, own);
    assert.equal(answer.status, 403, `${name} ${answer.text}`);
  }
  assert.equal((await podsOf(service).get(other.id)).desiredStatus, "RUNNING");
});
