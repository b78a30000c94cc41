// Logins of Flash clients by device code: begun without a key, decided in the console, collected once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService, type TestService } from "../fixtures/service/service.ts";
import { SkewedClock } from "../fixtures/time/skewed-clock.ts";
import { post, refusal } from "./ask.ts";

const BEGIN = `mutation createFlashAuthRequest { createFlashAuthRequest { id status expiresAt } }`;
const STATUS = `query flashAuthRequestStatus($flashAuthRequestId: String!) {
  flashAuthRequestStatus(flashAuthRequestId: $flashAuthRequestId) { id status expiresAt apiKey } }`;
const noKey = { authorization: "" };

async function send(service: TestService, query: string, variables?: object) {
  const answer = await post(service, query, variables, noKey);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

async function begin(service: TestService): Promise<string> {
  const { data } = await send(service, BEGIN);
  assert.equal(data.createFlashAuthRequest.status, "PENDING");
  return data.createFlashAuthRequest.id;
}

async function poll(service: TestService, flashAuthRequestId: string) {
  const { data } = await send(service, STATUS, { flashAuthRequestId });
  return data.flashAuthRequestStatus as { status: string; apiKey: string | null };
}

const decide = (
  service: TestService,
  id: string,
  decision: string,
  body: object | undefined = {},
) =>
  service.call(
    "POST",
    `/v1/device-logins/${id}/${decision}`,
    decision === "deny" ? undefined : body,
  );

test("an approved login returns a key once, which is the approver's to revoke", async (t) => {
  const service = await startService(t);
  const id = await begin(service);
  assert.equal((await poll(service, id)).status, "PENDING");
  const shown = (await service.call("GET", `/v1/device-logins/${id}`)).json;
  assert.deepEqual([shown.status, shown.address], ["PENDING", "127.0.0.1"]);
  const approved = await decide(service, id, "approve", { name: "my laptop" });
  assert.equal(approved.json.status, "APPROVED", approved.text);

  const polls = await Promise.all([poll(service, id), poll(service, id), poll(service, id)]);
  const won = polls.filter(({ apiKey }) => apiKey !== null);
  assert.deepEqual(
    won.map(({ status }) => status),
    ["APPROVED"],
  );
  assert.deepEqual(await poll(service, id).then(({ status, apiKey }) => [status, apiKey]), [
    "CONSUMED",
    null,
  ]);
  const authorization = `Bearer ${won[0]!.apiKey}`;
  const used = await service.call("GET", "/v1/session", undefined, { authorization });
  assert.equal(used.json.key.name, "my laptop", used.text);
  const keys = (await service.call("GET", "/v1/keys")).json as { id: string; name: string }[];
  const key = keys.find(({ name }) => name === "my laptop")!;
  assert.equal((await service.call("DELETE", `/v1/keys/${key.id}`)).status, 204);
  const { json } = await service.call("GET", "/v1/audit?limit=20");
  const done = (json as { operation: string; resourceId: string }[]).map(
    ({ operation, resourceId }) => (operation === "collectDeviceLogin" ? resourceId : operation),
  );
  assert.ok(done.includes("approveDeviceLogin") && done.includes(key.id), done.join());
});

test("a login that is denied, decided before, unknown or expired gives no key", async (t) => {
  const clock = new SkewedClock("2027-03-10T10:00:00Z");
  const service = await startService(t, { clock, replicas: null });
  const denied = await begin(service);
  assert.equal((await decide(service, denied, "deny")).json.status, "DENIED");
  assert.equal((await poll(service, denied)).status, "DENIED");
  const again = await decide(service, denied, "approve");
  assert.deepEqual([again.status, again.json.code], [409, "device_login_over"]);

  const unknown = await refusal(service, STATUS, { flashAuthRequestId: "fhl_nothing" });
  assert.equal(unknown.extensions.code, "device_login_not_found");
  assert.equal((await decide(service, "nothing", "approve")).status, 404);
  assert.equal(
    (await service.call("GET", `/v1/device-logins/${denied}`, undefined, noKey)).status,
    401,
  );

  const [late, collectedLate] = [await begin(service), await begin(service)];
  await decide(service, collectedLate, "approve");
  clock.jump(600_000);
  assert.equal((await poll(service, late)).status, "EXPIRED");
  assert.deepEqual(await poll(service, collectedLate).then((each) => [each.status, each.apiKey]), [
    "EXPIRED",
    null,
  ]);
  assert.equal((await decide(service, late, "approve")).json.code, "device_login_over");
});

test("a login gives no more than the approver's key can, and ends with it", async (t) => {
  const service = await startService(t);
  const permissions = { rest: "write", graphql: "read" };
  const { json: limited } = await service.call("POST", "/v1/keys", { name: "k", permissions });
  const as = { authorization: `Bearer ${limited.key}` };
  const [collected, withdrawn] = [await begin(service), await begin(service)];
  for (const id of [collected, withdrawn]) {
    const answer = await service.call("POST", `/v1/device-logins/${id}/approve`, {}, as);
    assert.equal(answer.status, 200, answer.text);
  }
  const { apiKey } = await poll(service, collected);
  const self = await service.call("GET", "/v1/session", undefined, {
    authorization: `Bearer ${apiKey}`,
  });
  assert.deepEqual(self.json.key.permissions, { ...limited.permissions });
  await service.call("DELETE", `/v1/keys/${limited.id}`);
  assert.deepEqual(await poll(service, withdrawn).then((each) => [each.status, each.apiKey]), [
    "DENIED",
    null,
  ]);
});

test("one address can have five logins waiting", async (t) => {
  const service = await startService(t);
  const ids = [];
  for (let n = 0; n < 5; n++) ids.push(await begin(service));
  const refused = await post(service, BEGIN, null, noKey);
  assert.deepEqual([refused.status, refused.json.code], [429, "rate_limited"]);
  await decide(service, ids[0]!, "deny");
  await begin(service);
  // With a key, the same limit holds.
  assert.equal((await post(service, BEGIN)).status, 429);
});
