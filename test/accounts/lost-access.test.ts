// Tests that a caller who loses access in the middle of a request gets nothing from it: while the body is sent, and while
// the answer is held.

import assert from "node:assert/strict";
import { type ClientRequest, request as httpRequest } from "node:http";
import { test } from "node:test";
import { pollsArrived } from "../fixtures/service/held-polls.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { invite, join } from "./join.ts";

/** A request whose head has arrived; `end` sends its body and returns the status of the answer. */
async function begin(
  service: TestService,
  headers: Record<string, string>,
  path: string,
  body: object,
): Promise<{ end(): Promise<number> }> {
  const text = JSON.stringify(body);
  const { request, answer } = send(service, path, {
    "content-type": "application/json",
    "content-length": String(text.length),
    ...headers,
  });
  request.write(text.slice(0, 1));
  await pollsArrived(service.call);
  return {
    end() {
      request.end(text.slice(1));
      return answer;
    },
  };
}

function send(
  { origin }: TestService,
  path: string,
  headers: Record<string, string>,
): { request: ClientRequest; answer: Promise<number> } {
  const request = httpRequest(origin + path, { method: "POST", headers });
  const answer = new Promise<number>((resolve, reject) => {
    request.once("error", reject);
    request.once("response", (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
  });
  return { request, answer };
}

const keyed = (key: string) => ({ authorization: `Bearer ${key}` });
const SECRET = 'mutation { secretCreate(input: { name: "s", value: "v" }) { id } }';

test("a key that is revoked while a body arrives changes nothing", async (t) => {
  const service = await startService(t, { replicas: null });
  const endpointId = await service.makeEndpoint();
  const count = async () => (await service.call("GET", "/v1/keys")).json.length;
  const before = await count();
  for (const [path, body] of [
    ["/v1/keys", { name: "child" }],
    ["/v1/templates", { name: "t", imageName: "i" }],
    ["/v2/templates", { name: "t", imageName: "i" }],
    ["/graphql", { query: SECRET }],
    [`/v2/${endpointId}/run`, { input: {} }],
    [`/v2/${endpointId}/openai/v1/models`, { input: {} }],
  ] as const) {
    const { id, key } = (await service.call("POST", "/v1/keys", { name: "k" })).json;
    const request = await begin(service, keyed(key), path, body);
    assert.equal((await service.call("DELETE", `/v1/keys/${id}`)).status, 204);
    assert.equal(await request.end(), 401, path);
  }
  assert.equal(await count(), before);
  assert.deepEqual(
    (await service.call("GET", "/v1/templates?includeEndpointBoundTemplates=false")).json,
    [],
  );
  assert.deepEqual((await service.call("GET", `/v1/jobs?endpointId=${endpointId}`)).json, []);
});

test("a member whose role changes while a body arrives has the new role", async (t) => {
  const service = await startService(t, { replicas: null });
  const ada = await join(service, "admin", "Ada");
  const body = { email: "friend@example.org", role: "admin" };
  const request = await begin(service, keyed(ada.key), "/v1/invitations", body);
  await service.call("PATCH", `/v1/members/${ada.member.id}`, { role: "basic" });
  assert.equal(await request.end(), 403);
  const repeated = await begin(service, keyed(ada.key), "/v1/templates", { name: "t" });
  await invite(service, "dev", "other@example.org");
  assert.equal(await repeated.end(), 403);
});

test("a session that ends while a body arrives changes nothing", async (t) => {
  const service = await startService(t, { replicas: null });
  const { origin } = service;
  const signIn = await fetch(`${origin}/v1/session`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify({ key: service.key }),
  });
  const [cookie = ""] = signIn.headers.get("set-cookie")!.split(";");
  const headers = { cookie, origin, "sec-fetch-site": "same-origin" };
  const request = await begin(service, headers, "/v1/keys", { name: "child" });
  const [session] = (await service.call("GET", "/v1/sessions")).json;
  assert.equal((await service.call("DELETE", `/v1/sessions/${session.id}`)).status, 204);
  assert.equal(await request.end(), 401);
});

test("the answer of a held request does not reach a key that was revoked meanwhile", async (t) => {
  const service = await startService(t, { replicas: null });
  const endpointId = await service.makeEndpoint();
  const worker = await service.makeWorker(endpointId);
  const paths = ["runsync", "status-sync", "stream", "openai/v1/chat/completions"];
  for (const operation of paths) {
    const { id, key } = (await service.call("POST", "/v1/keys", { name: "k" })).json;
    const onJob = operation.startsWith("st");
    const queued =
      onJob && (await service.call("POST", `/v2/${endpointId}/run`, { input: {} })).json;
    const path = `/v2/${endpointId}/${operation}${onJob ? `/${queued.id}` : ""}?wait=90000`;
    const { request, answer } = send(service, path, {
      ...keyed(key),
      "content-type": "application/json",
    });
    request.end(JSON.stringify({ input: {} }));
    const { json: job } = await worker.call("job-take");
    await pollsArrived(service.call);
    assert.equal((await service.call("DELETE", `/v1/keys/${id}`)).status, 204);
    const chunk = operation === "stream";
    await worker.call(chunk ? `job-stream/${job.id}` : `job-done/${job.id}`, "", '{"output":"x"}');
    assert.equal(await answer, 401, operation);
    if (chunk) await worker.call(`job-done/${job.id}`, "", '{"output":"x"}');
  }
});
