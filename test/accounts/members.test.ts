// People: invited by a link that works once, bounded by their role at every moment, and gone when they
// are removed.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestHouse } from "../house.ts";
import { fakeHouse, until } from "../pods/stage.ts";

async function invite(house: TestHouse, role: string, email = `${role}@example.org`) {
  const { status, json, text } = await house.call("POST", "/v1/invitations", { email, role });
  assert.equal(status, 201, text);
  return json as { id: string; token: string; link: string; expiresAt: string };
}

async function join(house: TestHouse, role: string, name?: string) {
  const { token } = await invite(house, role);
  const { status, json, text } = await house.call(
    "POST",
    "/v1/invitations/accept",
    { token, ...(name && { name }) },
    { authorization: "" },
  );
  assert.equal(status, 201, text);
  const call = (method: string, path: string, body?: unknown) =>
    house.call(method, path, body, { authorization: `Bearer ${json.key}` });
  return { ...json, call } as {
    member: { id: string; email: string; role: string };
    key: string;
    keyId: string;
    call: TestHouse["call"];
  };
}

test("an invitation is shown once, works once, and gives a key that is the member's own", async (t) => {
  const house = await fakeHouse(t);
  const invited = await invite(house, "dev", "Ada@Example.org");
  assert.match(invited.token, /^fhi_[a-z0-9]{40}$/);
  assert.ok(invited.link.endsWith(`/invitation#token=${invited.token}`));
  const listed = await house.call("GET", "/v1/invitations");
  assert.deepEqual(
    listed.json.map(({ email }: { email: string }) => email),
    ["ada@example.org"],
  );
  assert.ok(!listed.text.includes(invited.token));
  const accept = () =>
    house.call("POST", "/v1/invitations/accept", { token: invited.token, name: "Ada" });
  const answers = await Promise.all([accept(), accept()]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 404]);
  const { json } = answers.find(({ status }) => status === 201)!;
  const as = { authorization: `Bearer ${json.key}` };
  const own = await house.call("GET", "/v1/account", undefined, as);
  assert.partialDeepStrictEqual(own.json.member, { email: "ada@example.org", role: "dev" });
  const { json: members } = await house.call("GET", "/v1/members");
  assert.deepEqual([members.length, members[0].name], [1, "Ada"]);
  assert.deepEqual((await house.call("GET", "/v1/invitations")).json, []);
  const query = "{ myself { email clientBalance pods { id } } }";
  const { json: myself } = await house.call("POST", "/graphql", { query }, as);
  const expected = { email: "ada@example.org", clientBalance: null, pods: [] };
  assert.deepEqual(myself, { data: { myself: expected } });
});

test("one that was withdrawn or has expired opens nothing, and neither does a guess", async (t) => {
  const house = await fakeHouse(t);
  const { id, token } = await invite(house, "admin");
  assert.equal((await house.call("DELETE", `/v1/invitations/${id}`)).status, 204);
  assert.equal((await house.call("DELETE", `/v1/invitations/${id}`)).status, 404);
  for (const each of [token, "fhi_nothing", house.key]) {
    const refused = await house.call("POST", "/v1/invitations/accept", { token: each });
    assert.deepEqual([refused.status, refused.json.code], [404, "invitation_over"]);
  }
  for (const wrong of [
    { email: "nobody", role: "dev" },
    { email: "a@b", role: "owner" },
  ]) {
    assert.equal((await house.call("POST", "/v1/invitations", wrong)).status, 400);
  }
});

test("another role holds at once for all of a member's keys; removal revokes them", async (t) => {
  const house = await fakeHouse(t);
  const dev = await join(house, "dev");
  const { json: second } = await dev.call("POST", "/v1/keys", { name: "second" });
  assert.equal(second.memberId, dev.member.id);
  let made = 0;
  const template = () => ({ name: `t${++made}`, imageName: "i" });
  assert.equal((await dev.call("POST", "/v1/templates", template())).status, 200);
  const one = `/v1/members/${dev.member.id}`;
  assert.equal((await house.call("PATCH", one, { role: "basic" })).json.role, "basic");
  const with2 = { authorization: `Bearer ${second.key}` };
  const may = async () => (await house.call("POST", "/v1/templates", template(), with2)).status;
  await until(async () => (await may()) === 403, "");
  const refused = await dev.call("POST", "/v1/templates", template());
  assert.match(refused.json.error, /^Your role, basic, has no write permission for /);
  assert.equal((await house.call("DELETE", one)).status, 204);
  await until(async () => (await may()) === 401, "");
  assert.equal((await dev.call("GET", "/v1/account")).status, 401);
  assert.deepEqual((await house.call("GET", "/v1/members")).json, []);
  assert.equal((await house.call("PATCH", one, { role: "dev" })).status, 404);
});

test("a member sees and changes his own keys; who manages the account, all", async (t) => {
  const house = await fakeHouse(t);
  const [dev, basic, admin] = [
    await join(house, "dev"),
    await join(house, "basic"),
    await join(house, "admin"),
  ];
  const ids = async ({ call }: Pick<TestHouse, "call">) =>
    (await call("GET", "/v1/keys")).json.map(({ id }: { id: string }) => id) as string[];
  assert.deepEqual(await ids(dev), [dev.keyId]);
  for (const key of [dev.keyId, basic.keyId, admin.keyId]) {
    assert.ok((await ids(admin)).includes(key));
    assert.ok((await ids(house)).includes(key));
  }
  for (const method of ["GET", "DELETE"]) {
    const answer = await dev.call(method, `/v1/keys/${basic.keyId}`);
    assert.deepEqual([answer.status, answer.json.code], [404, "key_not_found"]);
  }
  assert.equal((await dev.call("DELETE", `/v1/keys/${dev.keyId}`)).status, 204);
  assert.equal((await admin.call("DELETE", `/v1/keys/${basic.keyId}`)).status, 204);
});

test("who is a member already gets one more key by an invitation, and its role", async (t) => {
  const house = await fakeHouse(t);
  const before = await join(house, "basic", "Grace");
  const { token } = await invite(house, "dev", "basic@example.org");
  const { json } = await house.call("POST", "/v1/invitations/accept", { token });
  assert.deepEqual(
    [json.member.id, json.member.role, json.member.name],
    [before.member.id, "dev", "Grace"],
  );
  assert.notEqual(json.keyId, before.keyId);
  assert.equal((await house.call("GET", "/v1/members")).json.length, 1);
});
