// Tests of an account's SSH keys, and how Pods receive them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startedWorkload } from "../fixtures/service/started-workloads.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "../pods/fixture.ts";

const KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE6nA99ipUfHEGM4XEMOexbFfG2yUoAsdc8BJoz2T+oK";
const FINGERPRINT = "SHA256:hYJr6+7yy9zrL1ArFlYrwi8thv+PAwVo59Ltn94LMro";
const OTHER =
  "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBJZF4jbSHa8wedW1kuF4JlCM/xcKis+XAEM5UE1fNXWhw1ftETh9mpn7fzNR6BhZe//5P4LHIlQV1mg3aGsl9nE=";
const POD = { driver: "simulated", imageName: "i", computeType: "CPU" };

test("a key is added, listed with its fingerprint, and deleted", async (t) => {
  const service = await simulatedService(t);
  const add = (body: object) => service.call("POST", "/v1/ssh-keys", body);
  const { json, text } = await add({ publicKey: `${KEY} me@there\n` });
  const { id, createdAt, ...rest } = json;
  const expected = { name: "me@there", publicKey: `${KEY} me@there`, fingerprint: FINGERPRINT };
  assert.deepEqual(rest, expected, text);
  assert.ok(createdAt);
  assert.deepEqual((await service.call("GET", `/v1/ssh-keys/${id}`)).json, json);
  const { json: other } = await add({ publicKey: OTHER, name: "work" });
  assert.equal(other.name, "work");
  assert.deepEqual((await service.call("GET", "/v1/ssh-keys")).json, [json, other]);
  const again = await add({ publicKey: KEY });
  assert.deepEqual([again.status, again.json.code], [400, "ssh_key_known"]);
  assert.ok(again.json.message.includes(FINGERPRINT));
  for (const publicKey of ["", "hello", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3B", `${KEY}AA`]) {
    const refused = await add({ publicKey });
    assert.deepEqual([refused.status, refused.json.code], [400, "invalid_body"], publicKey);
    assert.match(refused.json.message, /"publicKey"/);
    assert.ok(!refused.text.includes("b3B"));
  }
  assert.equal((await service.call("DELETE", `/v1/ssh-keys/${id}`)).status, 204);
  for (const method of ["GET", "DELETE"]) {
    const absent = await service.call(method, `/v1/ssh-keys/${id}`);
    assert.deepEqual([absent.status, absent.json.code], [404, "ssh_key_not_found"]);
  }
});

test("a Pod's environment has all SSH keys of the account, unless overridden", async (t) => {
  const service = await simulatedService(t);
  const keysInPod = async (more: object) => {
    const { json } = await service.call("POST", "/v1/pods", { ...POD, ...more });
    await until(podsOf(service).reached, json.id);
    return startedWorkload(service, json.id)!.env.PUBLIC_KEY;
  };
  assert.equal(await keysInPod({}), undefined);
  for (const publicKey of [KEY, OTHER]) await service.call("POST", "/v1/ssh-keys", { publicKey });
  assert.equal(await keysInPod({}), `${KEY}\n${OTHER}`);
  assert.equal(await keysInPod({ env: { PUBLIC_KEY: "mine" } }), "mine");
  assert.equal(await keysInPod({ env: { PUBLIC_KEY: "" } }), "");
});
