// Tests of members: invited by a link that works once, limited by their role, and without access
// once removed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../../src/base/clock.ts";
import { hashSecret, randomIds } from "../../src/base/ids.ts";
import { Vault } from "../../src/base/vault.ts";
import { changeKeyOf, revokeKeyOf } from "../../src/flows/account/change-key.ts";
import { createAccount } from "../../src/flows/account/create-account.ts";
import { createKey } from "../../src/flows/account/create-key.ts";
import { invite as inviteBy } from "../../src/flows/invitation/invite.ts";
import { changeMemberOf } from "../../src/flows/member/change.ts";
import { keyByHash } from "../../src/store/api-key/api-key.ts";
import { makeIdentity, noClient, run } from "../docker/ssh-client.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { simulatedService } from "../pods/fixture.ts";
import { invite, join } from "./join.ts";

test("an invitation is shown once, works once, and creates a key of the new member", async (t) => {
  const service = await simulatedService(t);
  const invited = await invite(service, "dev", "Ada@Example.org");
  assert.match(invited.token, /^fhi_[a-z0-9]{40}$/);
  assert.ok(invited.link.endsWith(`/invitation#token=${invited.token}`));
  const listed = await service.call("GET", "/v1/invitations");
  assert.deepEqual(
    listed.json.map(({ email }: { email: string }) => email),
    ["ada@example.org"],
  );
  assert.ok(!listed.text.includes(invited.token));
  const accept = () =>
    service.call("POST", "/v1/invitations/accept", { token: invited.token, name: "Ada" });
  const answers = await Promise.all([accept(), accept()]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 404]);
  const { json } = answers.find(({ status }) => status === 201)!;
  const as = { authorization: `Bearer ${json.key}` };
  const own = await service.call("GET", "/v1/account", undefined, as);
  assert.partialDeepStrictEqual(own.json.member, { email: "ada@example.org", role: "dev" });
  const { json: members } = await service.call("GET", "/v1/members");
  assert.deepEqual([members.length, members[0].name], [1, "Ada"]);
  assert.deepEqual((await service.call("GET", "/v1/invitations")).json, []);
  const query = "{ myself { email clientBalance pods { id } } }";
  const { json: myself } = await service.call("POST", "/graphql", { query }, as);
  const expected = { email: "ada@example.org", clientBalance: null, pods: [] };
  assert.deepEqual(myself, { data: { myself: expected } });
});

test("a member's SSH keys end with the membership, connections under way included", {
  skip: noClient,
}, async (t) => {
  const service = await simulatedService(t);
  const dev = await join(service, "dev");
  const pod = { driver: "simulated", imageName: "i", computeType: "CPU" };
  const { id } = (await dev.call("POST", "/v1/pods", pod)).json;
  const [own, ...theirs] = [1, 2, 3, 4].map(() => makeIdentity(t, service));
  const [first, second, third] = theirs.map(({ publicKey }) => publicKey);
  await service.call("POST", "/v1/ssh-keys", { publicKey: own!.publicKey });
  // Each interface that adds keys; those that replace the list keep the keys that it has.
  await dev.call("POST", "/v1/ssh-keys", { publicKey: first });
  await dev.call("PUT", "/v2/account/ssh-keys", { keys: [own!.publicKey, first, second] });
  const query =
    "mutation($pubKey: String) { updateUserSettings(input: { pubKey: $pubKey }) { id } }";
  const pubKey = [own!.publicKey, first, second, third].join("\n");
  await dev.call("POST", "/graphql", { query, variables: { pubKey } });
  assert.equal((await service.call("GET", "/v1/ssh-keys")).json.length, 4);

  const connect = ({ options }: (typeof theirs)[number]) =>
    run("ssh", [...options, "-N", `${id}@127.0.0.1`]);
  const connections = theirs.map(connect);
  await until(async () => {
    const { json } = await service.call("GET", `/v1/audit?resourceId=${id}&limit=100`);
    const operations = json.map(({ operation }: { operation: string }) => operation);
    return operations.filter((operation: string) => operation === "connect").length === 3;
  });
  const removed = await service.call("DELETE", `/v1/members/${dev.member.id}`);
  assert.equal(removed.status, 204, removed.text);
  await Promise.all(connections);
  const { json: sshKeys } = await service.call("GET", "/v1/ssh-keys");
  assert.deepEqual(
    sshKeys.map(({ publicKey }: { publicKey: string }) => publicKey),
    [own!.publicKey],
  );
  for (const identity of theirs) {
    assert.match((await connect(identity)).stderr, /Permission denied/);
  }
});

test("a withdrawn, expired or guessed invitation is rejected", async (t) => {
  const service = await simulatedService(t);
  const { id, token } = await invite(service, "admin");
  assert.equal((await service.call("DELETE", `/v1/invitations/${id}`)).status, 204);
  assert.equal((await service.call("DELETE", `/v1/invitations/${id}`)).status, 404);
  for (const each of [token, "fhi_nothing", service.key]) {
    const refused = await service.call("POST", "/v1/invitations/accept", { token: each });
    assert.deepEqual([refused.status, refused.json.code], [404, "invitation_over"]);
  }
  for (const wrong of [
    { email: "nobody", role: "dev" },
    { email: "a@b", role: "owner" },
  ]) {
    assert.equal((await service.call("POST", "/v1/invitations", wrong)).status, 400);
  }
});

test("a role change applies to all of a member's keys at once, and removal revokes them", async (t) => {
  const service = await simulatedService(t);
  const dev = await join(service, "dev");
  const { json: second } = await dev.call("POST", "/v1/keys", { name: "second" });
  assert.equal(second.memberId, dev.member.id);
  let templates = 0;
  const template = () => ({ name: `t${++templates}`, imageName: "i" });
  assert.equal((await dev.call("POST", "/v1/templates", template())).status, 200);
  const one = `/v1/members/${dev.member.id}`;
  assert.equal((await service.call("PATCH", one, { role: "basic" })).json.role, "basic");
  const with2 = { authorization: `Bearer ${second.key}` };
  const may = async () => (await service.call("POST", "/v1/templates", template(), with2)).status;
  await until(async () => (await may()) === 403, "");
  const refused = await dev.call("POST", "/v1/templates", template());
  assert.match(refused.json.error, /^Your role, basic, has no write permission for /);
  assert.equal((await service.call("DELETE", one)).status, 204);
  await until(async () => (await may()) === 401, "");
  assert.equal((await dev.call("GET", "/v1/account")).status, 401);
  assert.deepEqual((await service.call("GET", "/v1/members")).json, []);
  assert.equal((await service.call("PATCH", one, { role: "dev" })).status, 404);
});

test("a request that began before its key was limited or its member removed creates and changes no key", async (t) => {
  const service = await simulatedService(t);
  const { store } = service.service;
  const deps = { store, clock: systemClock, ids: randomIds, vault: new Vault("0".repeat(64)) };
  const dev = await join(service, "dev");
  const by = (await store.read(keyByHash, hashSecret(dev.key)))!;
  const create = () => createKey(deps, { by, name: "k", permissions: null, once: null });
  const { key: other } = await create();
  await dev.call("PATCH", `/v1/keys/${dev.keyId}`, { permissions: { queue: "none" } });
  await assert.rejects(create(), /yours lacks/);
  const widen = () => changeKeyOf(deps, by, other.id, { permissions: { queue: "write" } });
  await assert.rejects(widen(), /yours lacks/);
  await service.call("DELETE", `/v1/members/${dev.member.id}`);
  await assert.rejects(create(), { code: "unauthorized" });
  await assert.rejects(widen(), { code: "unauthorized" });
  await assert.rejects(revokeKeyOf(deps, by, other.id), { code: "unauthorized" });
  const { json: keys } = await service.call("GET", "/v1/keys");
  assert.ok(!keys.some(({ memberId }: { memberId?: string }) => memberId === dev.member.id));
});

test("a request that began before its key lost full access gives no full access", async (t) => {
  const service = await simulatedService(t);
  const { store } = service.service;
  const deps = { store, clock: systemClock, ids: randomIds, vault: new Vault("0".repeat(64)) };
  const dev = await join(service, "dev");
  const [limited, lowered, removed] = [
    await join(service, "admin", "a", "a@example.org"),
    await join(service, "admin", "b", "b@example.org"),
    await join(service, "admin", "c", "c@example.org"),
  ];
  const keyOf = async ({ key }: { key: string }) => (await store.read(keyByHash, hashSecret(key)))!;
  const callers = [await keyOf(limited), await keyOf(lowered), await keyOf(removed)];
  await limited.call("PATCH", `/v1/keys/${limited.keyId}`, { permissions: { queue: "none" } });
  await service.call("PATCH", `/v1/members/${lowered.member.id}`, { role: "dev" });
  await service.call("DELETE", `/v1/members/${removed.member.id}`);
  const codes = ["forbidden", "forbidden", "unauthorized"];
  for (const [n, by] of callers.entries()) {
    const invitation = {
      by,
      email: "x@example.org",
      role: "admin",
      validMs: 1_000,
      once: null,
    } as const;
    for (const give of [
      () => inviteBy(deps, invitation),
      () => changeMemberOf(deps, by, dev.member.id, { role: "admin" }),
      () =>
        createAccount(
          { ...deps, processesUnasked: false },
          { by, name: "x", limited: true, once: null },
        ),
    ]) {
      await assert.rejects(give(), { code: codes[n] });
    }
  }
  assert.equal((await service.call("GET", `/v1/members/${dev.member.id}`)).json.role, "dev");
});

test("a member sees and changes the member's own keys; an account manager, all keys", async (t) => {
  const service = await simulatedService(t);
  const [dev, basic, admin] = [
    await join(service, "dev"),
    await join(service, "basic"),
    await join(service, "admin"),
  ];
  const ids = async ({ call }: Pick<TestService, "call">) =>
    (await call("GET", "/v1/keys")).json.map(({ id }: { id: string }) => id) as string[];
  assert.deepEqual(await ids(dev), [dev.keyId]);
  for (const key of [dev.keyId, basic.keyId, admin.keyId]) {
    assert.ok((await ids(admin)).includes(key));
    assert.ok((await ids(service)).includes(key));
  }
  for (const method of ["GET", "DELETE"]) {
    const answer = await dev.call(method, `/v1/keys/${basic.keyId}`);
    assert.deepEqual([answer.status, answer.json.code], [404, "key_not_found"]);
  }
  assert.equal((await dev.call("DELETE", `/v1/keys/${dev.keyId}`)).status, 204);
  assert.equal((await admin.call("DELETE", `/v1/keys/${basic.keyId}`)).status, 204);
});

test("a link that was sent before gives back no role, and leads no member that was removed back in", async (t) => {
  const service = await simulatedService(t);
  const accept = async (token: string) =>
    (await service.call("POST", "/v1/invitations/accept", { token })).status;
  const email = "eve@example.org";
  const [spare, another] = [
    await invite(service, "admin", email),
    await invite(service, "admin", email),
  ];
  const eve = await join(service, "dev", "Eve", email);
  assert.deepEqual([await accept(spare.token), await accept(another.token)], [404, 404]);
  const raise = await invite(service, "admin", email);
  await service.call("PATCH", `/v1/members/${eve.member.id}`, { name: "E", role: "dev" });
  assert.equal(
    (await service.call("GET", "/v1/invitations")).json.length,
    1,
    "the role is the same",
  );
  await service.call("PATCH", `/v1/members/${eve.member.id}`, { role: "basic" });
  assert.equal(await accept(raise.token), 404);
  const back = await invite(service, "dev", email);
  await service.call("DELETE", `/v1/members/${eve.member.id}`);
  assert.equal(await accept(back.token), 404);
  assert.deepEqual((await service.call("GET", "/v1/invitations")).json, []);
});

test("the invitations of an admin end with the right to invite", async (t) => {
  const service = await simulatedService(t);
  for (const end of [
    (id: string) => service.call("DELETE", `/v1/members/${id}`),
    (id: string) => service.call("PATCH", `/v1/members/${id}`, { role: "dev" }),
    async (_id: string, email: string) => {
      const { token } = await invite(service, "dev", email);
      return service.call("POST", "/v1/invitations/accept", { token });
    },
  ]) {
    const mallory = await join(service, "admin", "Mallory");
    const body = { email: "friend@example.org", role: "admin" };
    const invited = await mallory.call("POST", "/v1/invitations", body);
    const ours = await invite(service, "dev", "new@example.org");
    assert.ok((await end(mallory.member.id, mallory.member.email)).status < 300);
    for (const [token, status] of [
      [invited.json.token, 404],
      [ours.token, 201],
    ]) {
      const answer = await service.call("POST", "/v1/invitations/accept", { token });
      assert.equal(answer.status, status, answer.text);
    }
  }
});

test("an invitation gives an existing member another key and the invitation's role", async (t) => {
  const service = await simulatedService(t);
  const before = await join(service, "basic", "Grace");
  const { token } = await invite(service, "dev", "basic@example.org");
  const { json } = await service.call("POST", "/v1/invitations/accept", { token });
  assert.deepEqual(
    [json.member.id, json.member.role, json.member.name],
    [before.member.id, "dev", "Grace"],
  );
  assert.notEqual(json.keyId, before.keyId);
  assert.equal((await service.call("GET", "/v1/members")).json.length, 1);
});
