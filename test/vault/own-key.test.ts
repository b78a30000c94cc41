// The key that each Pod has of its own: it reads, stops and deletes its Pod, and opens nothing else.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { PodKeys } from "../../src/flows/pod/own-key.ts";
import { given } from "../given.ts";
import type { TestHouse } from "../house.ts";
import { fakeHouse, type PodJson, podsOf, until } from "../pods/stage.ts";

const OPEN = path.join(import.meta.dirname, "..", "routes-without-a-key.txt");
const POD = { driver: "fake", imageName: "i", computeType: "CPU" };

async function startPod(house: TestHouse, more: object = {}) {
  const { json } = await house.call("POST", "/v1/pods", { ...POD, ...more });
  await until(podsOf(house).reached, (json as PodJson).id);
  const { env } = given(house, json.id)!;
  return { id: json.id as string, env, own: { authorization: `Bearer ${env.RUNPOD_API_KEY}` } };
}

test("a Pod's key is true for it alone, and tells when it was changed", () => {
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

test("a Pod finds its key and where to use it, unless it says otherwise", async (t) => {
  const house = await fakeHouse(t);
  const { json: before } = await house.call("GET", "/v1/keys");
  const { env } = await startPod(house);
  assert.match(env.RUNPOD_API_KEY!, /^fhp_/);
  assert.match(env.RUNPOD_API_URL!, /^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  assert.equal(
    (await startPod(house, { env: { RUNPOD_API_KEY: "mine" } })).env.RUNPOD_API_KEY,
    "mine",
  );
  assert.deepEqual(
    (await house.call("GET", "/v1/keys")).json,
    before,
    "it is none of the account's",
  );
});

test("it reads, stops and deletes its Pod, until that is gone", async (t) => {
  const house = await fakeHouse(t);
  const { id, own } = await startPod(house);
  const call = (method: string, address: string, body?: object) =>
    house.call(method, address, body, own);
  const one = `/v1/pods/${id}`;
  assert.equal((await call("GET", one)).json.id, id);
  assert.equal((await call("POST", `${one}/stop`)).json.desiredStatus, "EXITED");
  assert.equal((await call("POST", `${one}/start`)).status, 403);
  assert.equal((await call("DELETE", one)).status, 204);
  await until(async () => (await call("GET", one)).status === 401 || null, id);
});

test("it opens nothing else, whatever it is", async (t) => {
  const house = await fakeHouse(t, { protocol: { refuseHoldMs: 0 } });
  const { id, own } = await startPod(house);
  const other = await startPod(house);
  const open = readFileSync(OPEN, "utf8").trim().split("\n");
  const its = ["GET /v1/pods/:podId", "POST /v1/pods/:podId/stop", "DELETE /v1/pods/:podId"];
  for (const { method, path } of house.house.routes) {
    const name = `${method} ${path}`;
    if (open.includes(name)) continue;
    const podId = its.includes(name) ? other.id : id;
    const filled = path.replace(":podId", podId).replace(/:\w+/g, id).replace("*", "v1/models");
    const answer = await house.call(method, filled, undefined, own);
    assert.equal(answer.status, 403, `${name} ${answer.text}`);
  }
  assert.equal((await podsOf(house).get(other.id)).desiredStatus, "RUNNING");
});
