// Tests of API keys over GraphQL: the same keys and permissions as over the management interface.

import assert from "node:assert/strict";
import { test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { ask, post, refusal } from "./ask.ts";

const FIELDS =
  "id name hint memberId disabled createdAt lastUsedAt permissions { rest graphql queue endpoints }";

test("a key is created, restricted, disabled, listed over both interfaces, and revoked", async (t) => {
  const service = await startService(t);
  const endpoint = await service.makeEndpoint();
  const create = `mutation ($input: ApiKeyCreateInput!) { apiKeyCreate(input: $input) { key apiKey { ${FIELDS} } } }`;
  const created = await ask(service, create, {
    input: { name: "k", permissions: { rest: "read" } },
  });
  const { key, apiKey } = created.apiKeyCreate;
  assert.match(key, /^fh_[a-z0-9]{40}$/);
  const closed = { rest: "read", graphql: "none", queue: "none", endpoints: null };
  assert.deepEqual(apiKey.permissions, closed);
  const as = { authorization: `Bearer ${key}` };
  const status = async () => (await service.call("GET", "/v1/templates", undefined, as)).status;
  assert.equal(await status(), 200);
  const update = `mutation ($input: ApiKeyUpdateInput!) { apiKeyUpdate(input: $input) { ${FIELDS} } }`;
  const permissions = { queue: "write", endpoints: [endpoint] };
  const narrowed = await ask(service, update, { input: { id: apiKey.id, permissions } });
  assert.deepEqual(narrowed.apiKeyUpdate.permissions, { ...closed, ...permissions });
  const { json: rest } = await service.call("GET", `/v1/keys/${apiKey.id}`);
  assert.deepEqual(rest.permissions, { ...closed, ...permissions });
  const widened = await ask(service, update, {
    input: { id: apiKey.id, permissions: { endpoints: null } },
  });
  assert.equal(widened.apiKeyUpdate.permissions.endpoints, null);
  await ask(service, update, { input: { id: apiKey.id, disabled: true } });
  assert.equal(await status(), 401);
  const { myself } = await ask(service, `{ myself { apiKeys { ${FIELDS} } } }`);
  const listed = myself.apiKeys.find(({ id }: { id: string }) => id === apiKey.id);
  assert.deepEqual([listed.disabled, listed.hint], [true, key.slice(-4)]);
  assert.ok(!JSON.stringify(myself).includes(key));
  const revoke = `mutation { apiKeyRevoke(id: "${apiKey.id}") }`;
  assert.deepEqual(await ask(service, revoke), { apiKeyRevoke: null });
  assert.equal((await refusal(service, revoke)).extensions.code, "key_not_found");
});

test("a key cannot create one with more permissions, and invalid permissions are rejected", async (t) => {
  const service = await startService(t);
  const { json } = await service.call("POST", "/v1/keys", {
    name: "narrow",
    permissions: { graphql: "write" },
  });
  const as = { authorization: `Bearer ${json.key}` };
  const create = "mutation ($input: ApiKeyCreateInput!) { apiKeyCreate(input: $input) { key } }";
  const wider = { input: { name: "w", permissions: { rest: "read" } } };
  const refused = await post(service, create, wider, as);
  assert.deepEqual([refused.status, refused.json.code], [403, "forbidden"]);
  assert.equal((await post(service, create, { input: { name: "s" } }, as)).status, 200);
  const nobodys = { queue: "read", endpoints: ["nope"] };
  const wrong = await refusal(service, create, { input: { name: "x", permissions: nobodys } });
  assert.match(wrong.message, /must be ids of your endpoints; there is no "nope"/);
  const empty = await refusal(service, create, { input: { name: "" } });
  assert.equal(empty.extensions.code, "invalid_body");
});
