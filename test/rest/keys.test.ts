// Tests of API keys over HTTP: shown once, without more permissions than their creator, disabled
// and revoked.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService, type TestService } from "../fixtures/service/service.ts";

const as = (key: string) => ({ authorization: `Bearer ${key}` });

async function makeKey(service: TestService, permissions?: object, by = service.key) {
  const body = { name: "k", ...(permissions && { permissions }) };
  return service.call("POST", "/v1/keys", body, as(by));
}

test("a key is shown once and has its permissions", async (t) => {
  const service = await startService(t);
  const creation = await makeKey(service);
  assert.equal(creation.status, 200, creation.text);
  const { key, ...rest } = creation.json;
  assert.match(key, /^fh_[a-z0-9]{40}$/);
  assert.equal(rest.hint, key.slice(-4));
  assert.deepEqual(rest.permissions, {
    rest: "write",
    graphql: "write",
    queue: "write",
    endpoints: null,
  });
  const read = await service.call("GET", `/v1/keys/${rest.id}`, undefined, as(key));
  assert.deepEqual(read.json, rest);
  const listed = (await service.call("GET", "/v1/keys")).json;
  assert.ok(listed.some((each: { id: string }) => each.id === rest.id));
  assert.ok(!JSON.stringify(listed).includes(key));
});

test("omitted permissions are denied", async (t) => {
  const service = await startService(t);
  const { json } = await makeKey(service, { rest: "read" });
  assert.deepEqual(json.permissions, {
    rest: "read",
    graphql: "none",
    queue: "none",
    endpoints: null,
  });
  const get = await service.call("GET", "/v1/templates", undefined, as(json.key));
  assert.equal(get.status, 200);
  const post = await service.call("POST", "/v1/templates", {}, as(json.key));
  assert.equal(post.status, 403);
  assert.match(post.json.message, /no write permission for the rest interface/);
  const jobs = await service.call("GET", "/v1/jobs", undefined, as(json.key));
  assert.equal(jobs.status, 403);
});

test("a key cannot create, extend, change or revoke one with more permissions", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const other = await service.makeEndpoint();
  const { json: narrow } = await makeKey(service, {
    rest: "write",
    queue: "read",
    endpoints: [endpoint],
  });
  const refused = await makeKey(service, { rest: "write", graphql: "read" }, narrow.key);
  assert.equal(refused.status, 403);
  assert.match(refused.json.message, /cannot give more than it has; yours lacks read on graphql/);
  const wider = await makeKey(service, { queue: "read", endpoints: [other] }, narrow.key);
  assert.match(wider.json.message, /the queue of /);
  const same = await makeKey(service, { queue: "read" }, narrow.key);
  assert.equal(same.status, 200, same.text);
  assert.deepEqual(same.json.permissions.endpoints, [endpoint]);
  const copy = await makeKey(service, undefined, narrow.key);
  assert.deepEqual(copy.json.permissions, narrow.permissions);
  const { json: full } = await makeKey(service);
  for (const [method, body] of [["PATCH", { disabled: true }], ["DELETE"]] as const) {
    const answer = await service.call(method, `/v1/keys/${full.id}`, body, as(narrow.key));
    assert.equal(answer.status, 403);
  }
  const widened = { permissions: { queue: "write" } };
  const own = await service.call("PATCH", `/v1/keys/${narrow.id}`, widened, as(narrow.key));
  assert.equal(own.status, 403);
});

test("a disabled key is rejected until it is enabled, and a revoked key forever", async (t) => {
  const service = await startService(t);
  const { json: creation } = await makeKey(service);
  const address = `/v1/keys/${creation.id}`;
  const status = async () =>
    (await service.call("GET", "/v1/keys", undefined, as(creation.key))).status;
  assert.equal(await status(), 200);
  const disabled = await service.call("PATCH", address, { disabled: true, name: "off" });
  assert.deepEqual([disabled.json.disabled, disabled.json.name], [true, "off"]);
  assert.equal(await status(), 401);
  await service.call("PATCH", address, { disabled: false });
  assert.equal(await status(), 200);
  const revoked = await service.call("DELETE", address);
  assert.equal(revoked.status, 204);
  assert.equal(revoked.headers.get("content-type"), null);
  assert.equal(await status(), 401);
  for (const method of ["GET", "PATCH", "DELETE"]) {
    const answer = await service.call(method, address, method === "PATCH" ? {} : undefined);
    assert.deepEqual([answer.status, answer.json.code], [404, "key_not_found"]);
  }
});

test("an invalid key request is rejected", async (t) => {
  const service = await startService(t);
  const make = async (body: object) => (await service.call("POST", "/v1/keys", body)).json.message;
  assert.match(await make({}), /"name" is missing/);
  const wrong = await make({ name: "k", permissions: { rest: "all", qeue: "read" } });
  assert.match(wrong, /"permissions\.qeue"\. Did you mean "queue"\?/);
  assert.match(wrong, /"permissions\.rest" must be one of "none", "read", "write"; it is "all"/);
  const unknown = await make({ name: "k", permissions: { queue: "read", endpoints: ["nope"] } });
  assert.match(
    unknown,
    /"permissions\.endpoints" must be ids of your endpoints; there is no "nope"/,
  );
});
