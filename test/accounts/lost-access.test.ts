// Tests that a caller who loses access in the middle of a request gets nothing more from it: while the body is sent, while
// the answer is held, and while it is sent.

import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { pollsArrived } from "../fixtures/service/held-polls.ts";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { sendSlowly } from "../fixtures/service/slow-request.ts";
import { join } from "./join.ts";

/** The status of a request whose caller loses access before its body is complete. */
async function statusAfter(
  service: TestService,
  headers: Record<string, string>,
  [path, body]: readonly [path: string, body: object],
  lose: () => Promise<unknown>,
): Promise<number> {
  const request = {
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
  const { status } = await sendSlowly(service.origin + path, request, async () => {
    await pollsArrived(service.call);
    await lose();
  });
  return status;
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
    const revoke = () => service.call("DELETE", `/v1/keys/${id}`);
    assert.equal(await statusAfter(service, keyed(key), [path, body], revoke), 401, path);
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
  const demote = () => service.call("PATCH", `/v1/members/${ada.member.id}`, { role: "basic" });
  assert.equal(await statusAfter(service, keyed(ada.key), ["/v1/invitations", body], demote), 403);
  assert.deepEqual((await service.call("GET", "/v1/invitations")).json, []);
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
  const [session] = (await service.call("GET", "/v1/sessions")).json;
  const end = () => service.call("DELETE", `/v1/sessions/${session.id}`);
  assert.equal(await statusAfter(service, headers, ["/v1/keys", { name: "child" }], end), 401);
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
    const answer = service.call("POST", path, { input: {} }, keyed(key));
    const { json: job } = await worker.call("job-take");
    await pollsArrived(service.call);
    assert.equal((await service.call("DELETE", `/v1/keys/${id}`)).status, 204);
    const chunk = operation === "stream";
    await worker.call(chunk ? `job-stream/${job.id}` : `job-done/${job.id}`, "", '{"output":"x"}');
    assert.equal((await answer).status, 401, operation);
    if (chunk) await worker.call(`job-done/${job.id}`, "", '{"output":"x"}');
  }
});

test("an export of jobs is cut when its key is revoked", async (t) => {
  const service = await startService(t, { replicas: null });
  const endpointId = await service.makeEndpoint();
  // More than the buffers of both ends of a connection hold.
  const input = { text: "x".repeat(4 * 2 ** 20) };
  for (let n = 0; n < 8; n++) await service.call("POST", `/v2/${endpointId}/run`, { input });
  const { id, key } = (await service.call("POST", "/v1/keys", { name: "k" })).json;
  const sent = request(`${service.origin}/v1/jobs/export?endpointId=${endpointId}`, {
    headers: keyed(key),
  });
  const [response] = (await once(sent.end(), "response")) as [IncomingMessage];
  assert.equal(response.statusCode, 200);
  assert.equal((await service.call("DELETE", `/v1/keys/${id}`)).status, 204);
  await assert.rejects(buffer(response), { code: "ECONNRESET" });
});
