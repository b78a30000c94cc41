// Tests of addresses that people wrote into their profile at the provider by themselves.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ada, startScene } from "./scene.ts";

test("an address that the provider did not verify gets nothing of an invitation to it", async (t) => {
  const { service, idp, log, signIn } = await startScene(t);
  idp.serve(service.origin);
  const invite = async (email: string) =>
    (await service.call("POST", "/v1/invitations", { email, role: "admin" })).json.token;
  const accept = async (token: string) =>
    (await service.call("POST", "/v1/invitations/accept", { token })).json.member;
  const emails = async () =>
    (await service.call("GET", "/v1/members")).json.map(({ email }: { email: string }) => email);
  const boss = "boss@example.org";
  const posing = { ...ada, email: boss, email_verified: false };

  await t.test("at the first sign-in", async () => {
    const token = await invite(boss);
    idp.people.set("u1", posing);
    assert.equal((await signIn("u1")).url.search, "?problem=email_taken");
    assert.match(log.pop()!, /an invitation to boss@example.org is open/);
    idp.people.set("u1", ada);
    const { self } = await signIn("u1");
    idp.people.set("u1", posing);
    assert.equal((await signIn("u1")).self?.memberId, self?.memberId);
    assert.deepEqual(await emails(), [ada.email], "the address of the invitation is not taken");
    const member = await accept(token);
    assert.notEqual(member.id, self?.memberId);
    assert.equal(member.role, "admin");
  });

  await t.test("nor the role of a later one", async () => {
    const dean = "dean@example.org";
    idp.people.set("u2", { ...posing, email: dean, name: "Eve" });
    const { self } = await signIn("u2");
    const member = await accept(await invite(dean));
    assert.deepEqual([member.id, member.role], [self?.memberId, "dev"]);
  });
});
