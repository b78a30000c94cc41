// Calls of pages from other origins, as browsers send them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { bytesOf, exchange, type RawRequest } from "../properties/raw-http.ts";

const origin = "https://page.example";

async function send(service: TestService, request: RawRequest) {
  const reply = await exchange(Number(new URL(service.origin).port), bytesOf(request));
  assert.ok(reply);
  return reply;
}

const ask = (service: TestService, method: string, target: string, names: string) =>
  send(service, {
    method: "OPTIONS",
    target,
    headers: {
      origin,
      "access-control-request-method": method,
      "access-control-request-headers": names,
    },
  });

test("a preflight allows what it asks at every interface, without a key", async (t) => {
  const service = await startService(t);
  for (const [method, path] of [
    ["POST", "/graphql"],
    ["POST", "/graphql?api_key=wrong"],
    ["GET", "/v1/pods"],
    ["PATCH", "/v2/templates/none"],
    ["POST", "/v2/any/run"],
    ["GET", "/v2/any/status/none"],
    ["POST", "/v2/any/openai/v1/chat/completions"],
    // The page reads what is wrong in the answer to its request.
    ["GET", "/v2/hub"],
    ["DELETE", "/v1/nope"],
    ["GET", "/v1/pods/%zz"],
    ["PUT", "/s3/volume/a"],
  ] as const) {
    const { status, headers, body } = await ask(service, method, path, "authorization,x-app");
    assert.deepEqual([status, body], [204, ""], path);
    assert.equal(headers.get("access-control-allow-origin"), "*", path);
    assert.equal(headers.get("access-control-allow-methods"), method, path);
    assert.equal(headers.get("access-control-allow-headers"), "authorization, x-app", path);
    assert.equal(headers.get("access-control-max-age"), "7200", path);
    assert.equal(headers.get("access-control-allow-credentials"), undefined, path);
  }
});

test("a page may not send the headers of a reverse proxy", async (t) => {
  const service = await startService(t);
  const names = "X-Forwarded-For, content-type, forwarded, x-real-ip, a b";
  const { headers } = await ask(service, "POST", "/v1/pods", names);
  assert.equal(headers.get("access-control-allow-headers"), "content-type");
});

test("a page reads answers and refusals of the interfaces, streams too", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const { json: job } = await service.call("POST", `/v2/${endpoint}/run`, { input: {} });
  for (const [target, authorization, status] of [
    ["/v1/pods", `Bearer ${service.key}`, 200],
    ["/v1/pods", "Bearer wrong", 401],
    ["/v1/pods/none", `Bearer ${service.key}`, 404],
    ["/v2/templates", `Bearer ${service.key}`, 200],
    ["/v2/hub", `Bearer ${service.key}`, 400],
    ["/v1/nope", `Bearer ${service.key}`, 404],
    ["/v1/pods/%zz", `Bearer ${service.key}`, 400],
    [`/v2/pods/${"p".repeat(501)}`, `Bearer ${service.key}`, 400],
    [`/v2/${endpoint}/status/${job.id}`, service.key, 200],
    [`/v2/${endpoint}/stream/${job.id}?wait=1`, service.key, 200],
  ] as const) {
    const answer = await send(service, {
      method: "GET",
      target,
      headers: { origin, authorization },
    });
    assert.equal(answer.status, status, target);
    assert.equal(answer.headers.get("access-control-allow-origin"), "*", target);
    assert.equal(answer.headers.get("access-control-expose-headers"), "*", target);
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff", target);
  }
});

test("other pages of the service are for no other origin", async (t) => {
  const service = await startService(t);
  for (const target of ["/metrics", "/healthz", "/", "/v10"]) {
    const answer = await send(service, { method: "GET", target, headers: { origin } });
    assert.equal(answer.headers.get("access-control-allow-origin"), undefined, target);
    const question = await ask(service, "GET", target, "authorization");
    assert.notEqual(question.status, 204, target);
  }
});
