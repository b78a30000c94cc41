// API keys over HTTP: shown once, no key gives more than it has, disabled and revoked ones open
// nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startHouse, type TestHouse } from "../house.ts";

const as = (key: string) => ({ authorization: `Bearer ${key}` });

async function makeKey(house: TestHouse, permissions?: object, by = house.key) {
  const body = { name: "k", ...(permissions && { permissions }) };
  return house.call("POST", "/v1/keys", body, as(by));
}

test("a key is shown once and opens what it may", async (t) => {
  const house = await startHouse(t);
  const made = await makeKey(house);
  assert.equal(made.status, 200, made.text);
  const { key, ...rest } = made.json;
  assert.match(key, /^fh_[a-z0-9]{40}$/);
  assert.equal(rest.hint, key.slice(-4));
  assert.deepEqual(rest.permissions, {
    rest: "write",
    graphql: "write",
    queue: "write",
    endpoints: null,
  });
  const read = await house.call("GET", `/v1/keys/${rest.id}`, undefined, as(key));
  assert.deepEqual(read.json, rest);
  const listed = (await house.call("GET", "/v1/keys")).json;
  assert.ok(listed.some((each: { id: string }) => each.id === rest.id));
  assert.ok(!JSON.stringify(listed).includes(key));
});

test("permissions that are left out are closed", async (t) => {
  const house = await startHouse(t);
  const { json } = await makeKey(house, { rest: "read" });
  assert.deepEqual(json.permissions, {
    rest: "read",
    graphql: "none",
    queue: "none",
    endpoints: null,
  });
  const get = await house.call("GET", "/v1/templates", undefined, as(json.key));
  assert.equal(get.status, 200);
  const post = await house.call("POST", "/v1/templates", {}, as(json.key));
  assert.equal(post.status, 403);
  assert.match(post.json.message, /no write permission for the rest interface/);
  const jobs = await house.call("GET", "/v1/jobs", undefined, as(json.key));
  assert.equal(jobs.status, 403);
});

test("no key makes, widens, changes or revokes one that may do more", async (t) => {
  const house = await startHouse(t);
  const endpoint = await house.makeEndpoint();
  const other = await house.makeEndpoint();
  const { json: narrow } = await makeKey(house, {
    rest: "write",
    queue: "read",
    endpoints: [endpoint],
  });
  const refused = await makeKey(house, { rest: "write", graphql: "read" }, narrow.key);
  assert.equal(refused.status, 403);
  assert.match(refused.json.message, /cannot give more than it has; yours lacks read on graphql/);
  const wider = await makeKey(house, { queue: "read", endpoints: [other] }, narrow.key);
  assert.match(wider.json.message, /the queue of /);
  const same = await makeKey(house, { queue: "read" }, narrow.key);
  assert.equal(same.status, 200, same.text);
  assert.deepEqual(same.json.permissions.endpoints, [endpoint]);
  const copy = await makeKey(house, undefined, narrow.key);
  assert.deepEqual(copy.json.permissions, narrow.permissions);
  const { json: full } = await makeKey(house);
  for (const [method, body] of [["PATCH", { disabled: true }], ["DELETE"]] as const) {
    const answer = await house.call(method, `/v1/keys/${full.id}`, body, as(narrow.key));
    assert.equal(answer.status, 403);
  }
  const widened = { permissions: { queue: "write" } };
  const own = await house.call("PATCH", `/v1/keys/${narrow.id}`, widened, as(narrow.key));
  assert.equal(own.status, 403);
});

test("a disabled key opens nothing until it is enabled; a revoked one never again", async (t) => {
  const house = await startHouse(t);
  const { json: made } = await makeKey(house);
  const address = `/v1/keys/${made.id}`;
  const status = async () => (await house.call("GET", "/v1/keys", undefined, as(made.key))).status;
  assert.equal(await status(), 200);
  const disabled = await house.call("PATCH", address, { disabled: true, name: "off" });
  assert.deepEqual([disabled.json.disabled, disabled.json.name], [true, "off"]);
  assert.equal(await status(), 401);
  await house.call("PATCH", address, { disabled: false });
  assert.equal(await status(), 200);
  const revoked = await house.call("DELETE", address);
  assert.equal(revoked.status, 204);
  assert.equal(revoked.headers.get("content-type"), null);
  assert.equal(await status(), 401);
  for (const method of ["GET", "PATCH", "DELETE"]) {
    const answer = await house.call(method, address, method === "PATCH" ? {} : undefined);
    assert.deepEqual([answer.status, answer.json.code], [404, "key_not_found"]);
  }
});

test("mistakes in a key's body", async (t) => {
  const house = await startHouse(t);
  const make = async (body: object) => (await house.call("POST", "/v1/keys", body)).json.message;
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
