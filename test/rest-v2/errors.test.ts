// The errors of REST v2: problem documents, the meanings of the statuses, and the routes of one origin.

import assert from "node:assert/strict";
import { test } from "node:test";
import { reservedWords } from "../../src/domain/reserved-words.ts";
import { startService } from "../fixtures/service/service.ts";

test("an error is a problem document with a code and a request id", async (t) => {
  const service = await startService(t);
  const missing = await service.call("GET", "/v2/templates/nothing");
  assert.equal(missing.status, 404);
  assert.match(missing.headers.get("content-type")!, /^application\/problem\+json/);
  assert.match(missing.headers.get("x-request-id")!, /^[\w-]+$/);
  assert.deepEqual(missing.json, {
    title: "Not Found",
    status: 404,
    detail: "There is no template nothing.",
    code: "template_not_found",
  });
  const other = await service.call("GET", "/v2/templates/nothing");
  assert.notEqual(other.headers.get("x-request-id"), missing.headers.get("x-request-id"));
});

test("every refusal has the form of REST v2, also before a route is found", async (t) => {
  const service = await startService(t);
  const noKey = { authorization: "" };
  const rows: [string, string, number, string, Record<string, string>?, unknown?][] = [
    ["GET", "/v2/templates", 401, "unauthorized", noKey],
    ["POST", "/v2/pods/run", 401, "unauthorized", noKey],
    ["GET", "/v2/templates/a%20b", 404, "template_not_found"],
    ["GET", "/v2/catalog/nothing", 404, "route_not_found"],
    ["PUT", "/v2/templates", 405, "method_not_allowed"],
    ["POST", "/v2/templates", 400, "invalid_json", {}, "{"],
    ["POST", "/v2/templates", 422, "invalid_fields", {}, "[]"],
    ["POST", "/v2/templates", 422, "invalid_fields", {}, ""],
    ["POST", "/v2/templates", 413, "payload_too_large", {}, { name: "x".repeat(1_100_000) }],
    ["GET", "/v2/templates?limit=0", 422, "invalid_fields"],
    ["GET", "/v2/templates?limit=1&limit=2", 422, "invalid_fields"],
    ["GET", "/v2/templates/%zz", 400, "invalid_http"],
    ["GET", "/v2/tags", 400, "not_offered"],
    ["GET", "/v2/flash/health", 400, "not_offered"],
  ];
  for (const [method, path, status, code, headers, body] of rows) {
    const answer = await service.call(method, path, body, headers);
    const what = `${method} ${path} ${answer.text}`;
    assert.deepEqual(
      [answer.status, answer.json.status, answer.json.code],
      [status, status, code],
      what,
    );
    assert.match(answer.headers.get("content-type")!, /^application\/problem\+json/, what);
    assert.ok(answer.headers.get("x-request-id"), what);
    assert.equal("error" in answer.json || "message" in answer.json, false, what);
  }
});

test("a wrong method is refused with the allowed ones", async (t) => {
  const service = await startService(t);
  const answer = await service.call("PUT", "/v2/account/secrets/abc", {});
  assert.equal(answer.status, 405);
  assert.equal(answer.headers.get("allow"), "GET, PATCH, DELETE");
});

test("a wrong body names each field by its path, and the v2 name of a v1 field", async (t) => {
  const service = await startService(t);
  const { status, json } = await service.call("POST", "/v2/templates", {
    name: 7,
    imageName: "i",
    mounts: { persistent: { size: 1, path: "/w", sice: 2 }, network: [] },
    env: { A: 1 },
    ports: ["80/http", "x"],
  });
  assert.equal(status, 422);
  const paths = (json.errors as string[]).map((entry) => entry.split(": ")[0]);
  assert.deepEqual(paths.sort(), [
    "$.env.A",
    "$.image",
    "$.imageName",
    "$.mounts.network",
    "$.mounts.persistent.sice",
    "$.mounts.persistent.size",
    "$.name",
    "$.ports[1]",
  ]);
  const renamed = json.errors.find((entry: string) => entry.startsWith("$.imageName"));
  assert.match(renamed, /REST v2 names it "image"/);
});

test("the document needs no key, and unknown query parameters are ignored", async (t) => {
  const service = await startService(t);
  assert.equal((await fetch(`${service.origin}/v2/openapi.json`)).status, 200);
  assert.equal((await service.call("GET", "/v2/templates?nothing=1")).status, 200);
});

test("no id of an endpoint is a reserved word", () => {
  const ids = [...reservedWords].filter((word) => /^[a-z0-9]{14}$/.test(word));
  assert.deepEqual(ids, []);
});
