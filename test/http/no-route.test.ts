// Where there is no route, the answer says so, and never that the key is wrong.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";

test("an address without a route is 404, one with another method 405", async (t) => {
  const service = await startService(t);
  for (const authorization of [`Bearer ${service.key}`, "", "Bearer wrong"]) {
    const headers = { authorization };
    const none = await service.call("GET", "/nope", undefined, headers);
    assert.equal(none.json.code, "route_not_found");
    assert.equal(none.status, 404);
    const half = await service.call("GET", "/v2/any/job-take/", undefined, headers);
    assert.equal(half.json.code, "route_not_found");
    const other = await service.call("DELETE", "/v2/any/run", undefined, headers);
    assert.equal(other.json.code, "method_not_allowed");
    assert.equal(other.headers.get("allow"), "POST");
  }
});

test("the first page of the console answers a client that takes anything", async (t) => {
  const service = await startService(t);
  for (const accept of ["*/*", "text/html", "application/json;q=0.9, */*;q=0.1"]) {
    const { headers } = await fetch(service.origin, { headers: { accept } });
    assert.match(headers.get("content-type") ?? "", /^text\/html/, accept);
  }
  const program = await fetch(service.origin, { headers: { accept: "application/json" } });
  assert.equal(((await program.json()) as { code: string }).code, "route_not_found");
  const unknown = await fetch(`${service.origin}/nope`, { headers: { accept: "*/*" } });
  assert.equal(((await unknown.json()) as { code: string }).code, "route_not_found");
});

test("an unknown route is reported before its missing body", async (t) => {
  const service = await startService(t);
  const headers = {
    authorization: `Bearer ${service.key}`,
    "content-type": "application/json",
    "content-length": "0",
  };
  for (const path of ["/v1/nope", "/v2/any/nope", "/nope"]) {
    const answer = await fetch(service.origin + path, { method: "POST", headers });
    const body = (await answer.json()) as { code: string };
    assert.deepEqual([answer.status, body.code], [404, "route_not_found"], path);
  }
});

test("batches of the hosted service are not offered, and the error names those that are", async (t) => {
  const service = await startService(t);
  for (const [method, path] of [
    ["POST", "/v2/any/batch"],
    ["GET", "/v2/any/batches"],
    ["POST", "/v2/any/batch/b1/finalize"],
  ] as const) {
    const { status, json } = await service.call(method, path, method === "POST" ? {} : undefined);
    assert.deepEqual([status, json.code], [400, "not_offered"], path);
    assert.match(json.error, /POST \/v1\/batches/);
  }
  assert.equal((await service.call("POST", "/v2/any/batcher", {})).status, 404);
});

test("what is not offered under a reserved word is 400, after the key", async (t) => {
  const service = await startService(t);
  for (const [method, path] of [
    ["GET", "/v2/hub"],
    ["PUT", "/v2/teams/run"],
    ["POST", "/v2/models/run"],
    ["GET", "/v2/users/status/job"],
    ["PATCH", "/v2/batches/a/b/c"],
  ] as const) {
    const answer = await service.call(method, path);
    assert.deepEqual([answer.status, answer.json.code], [400, "not_offered"], `${method} ${path}`);
    assert.match(answer.json.detail, new RegExp(`${method} ${path} is not offered here`));
    const unknown = await service.call(method, path, undefined, { authorization: "wrong" });
    assert.deepEqual([unknown.status, unknown.json.code], [401, "unauthorized"]);
  }
  const other = await service.call("GET", "/v2/podsy/nope");
  assert.equal(other.json.code, "route_not_found");
});

test("HEAD answers as GET does, without the body, at probes, documentation and console pages", async (t) => {
  const service = await startService(t);
  for (const path of [
    "/healthz",
    "/readyz",
    "/docs",
    "/docs/pods",
    "/llms.txt",
    "/docs/nope",
    "/v1",
    "/v1/docs",
    "/v1/docs/start.js",
    "/v1/openapi.json",
    "/v1/sign-in",
    "/v2/docs",
    "/v2/docs/start.js",
    "/v2/openapi.json",
    "/",
  ]) {
    const [get, head] = await Promise.all(
      ["GET", "HEAD"].map((method) => fetch(service.origin + path, { method })),
    );
    assert.equal(head!.status, get!.status, path);
    for (const name of ["content-type", "etag", "cache-control"])
      assert.equal(head!.headers.get(name), get!.headers.get(name), `${path} ${name}`);
    assert.equal(await head!.text(), "", path);
  }
  const job = await service.call("HEAD", "/v2/any/job-take/w");
  assert.equal(job.status, 405);
});

test("a refusal never allows the method that it refuses", async (t) => {
  const service = await startService(t);
  for (const [path, status, allow] of [
    ["/v2/any/openai", 404, null],
    ["/v2/any/openai/", 404, null],
    ["/v2/any/run", 405, "POST"],
    ["/v2/any/run/", 405, "POST"],
  ] as const) {
    const { status: answered, headers } = await service.call("GET", path);
    assert.deepEqual([answered, headers.get("allow")], [status, allow], path);
  }
});

test("a URL that cannot be read is refused with what is wrong about it", async (t) => {
  const service = await startService(t);
  const long = "x".repeat(501);
  for (const [path, reason] of [
    ["/v1/pods/%", /"%" without two hexadecimal digits/],
    ["/v2/%ff/run", /not UTF-8/],
    [`/v1/pods/${long}`, /longer than 500 characters/],
  ] as const) {
    const { status, json } = await service.call("GET", path);
    assert.deepEqual([status, json.code], [400, "invalid_http"], path.slice(0, 40));
    assert.match(json.error, reason);
  }
});
