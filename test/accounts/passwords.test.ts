// Tests of passwords: set by members, tried by people who guess, changed, removed, and reset by a link.

import assert from "node:assert/strict";
import crypto from "node:crypto";
import { test } from "node:test";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { until } from "../fixtures/until.ts";
import { simulatedService } from "../pods/fixture.ts";
import { invite, join } from "./join.ts";
import { cookieOf, operationsOf, PASSWORD, signIn, startedWith } from "./password-scene.ts";

test("a member sets a password, and signs in with it as with a key", async (t) => {
  const service = await simulatedService(t);
  assert.equal((await service.call("GET", "/v1/sign-in")).json.passwords, true);
  const ada = await join(service, "dev", "Ada", "ada@example.org");
  assert.equal((await ada.call("GET", "/v1/session")).json.password, null);
  const set = await ada.call("PUT", "/v1/members/me/password", { password: PASSWORD });
  assert.equal(set.status, 200, set.text);
  const answer = await signIn(service, "Ada@Example.org");
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.json.memberId, ada.member.id);
  assert.equal(answer.json.password.setAt, set.json.setAt);
  assert.equal(answer.json.totp, null);
  const session = await service.call("GET", "/v1/session", undefined, cookieOf(answer));
  assert.equal(session.json.sessionId, answer.json.sessionId);
  assert.ok(session.json.sessionId);
  const own = await service.call("GET", "/v1/session");
  assert.ok(!("password" in own.json), "a key of the account belongs to no member");
  const refused = await service.call("PUT", "/v1/members/me/password", { password: PASSWORD });
  assert.equal(refused.status, 403);
});

test("a wrong password and an unknown address have one answer, for one hash", async (t) => {
  const { service } = await startedWith(t);
  const { mock } = t.mock.method(crypto, "argon2");
  const counts: number[] = [];
  const bodies: string[] = [];
  for (const [email, password] of [
    ["ada@example.org", "wrong password"],
    ["nobody@example.org", PASSWORD],
    ["no address", PASSWORD],
  ] as const) {
    const before = mock.callCount();
    const answer = await signIn(service, email, { password });
    assert.deepEqual([answer.status, answer.json.code], [401, "sign_in_failed"]);
    bodies.push(answer.text);
    counts.push(mock.callCount() - before);
  }
  assert.equal(new Set(bodies).size, 1);
  assert.deepEqual(counts, [1, 1, 1]);
});

test("passwords that are guessed first are refused", async (t) => {
  const service = await simulatedService(t);
  const ada = await join(service, "dev", "Ada Lovelace", "ada@example.org");
  for (const [password, complaint] of [
    ["seven77", "must have 8 to 1,024 characters; it has 7"],
    ["x".repeat(1025), "must have 8 to 1,024 characters; it has 1025"],
    ["ADA@example.org", "must not be the e-mail address"],
    ["ada lovelace", "must not be the name"],
    ["Password", "is one of the commonest"],
    ["1q2w3e4r", "is one of the commonest"],
  ] as const) {
    const { status, json } = await ada.call("PUT", "/v1/members/me/password", { password });
    assert.deepEqual([status, json.code], [400, "password_refused"]);
    assert.ok(json.error.includes(complaint), json.error);
  }
  const longest = "é".repeat(1024);
  const { status } = await ada.call("PUT", "/v1/members/me/password", { password: longest });
  assert.equal(status, 200);
  const decomposed = longest.normalize("NFD");
  assert.equal((await signIn(service, "ada@example.org", { password: decomposed })).status, 200);
});

test("a change needs the current password, and ends the member's other sessions", async (t) => {
  const { service, ada } = await startedWith(t);
  const [first, second] = [
    await signIn(service, ada.member.email),
    await signIn(service, ada.member.email),
  ];
  const as = { ...cookieOf(first), origin: service.origin };
  const change = (body: object) => service.call("PUT", "/v1/members/me/password", body, as);
  const password = "another long one";
  assert.match((await change({ password })).json.error, /^"current" must be/);
  const wrong = await change({ password, current: "not this one" });
  assert.deepEqual([wrong.status, wrong.json.code], [403, "password_wrong"]);
  const changed = await change({ password, current: PASSWORD });
  assert.equal(changed.status, 200, changed.text);
  assert.equal((await service.call("GET", "/v1/session", undefined, as)).status, 200);
  await until(async () => {
    const other = await service.call("GET", "/v1/session", undefined, cookieOf(second));
    return other.status === 401 || null;
  }, "the other session ends");
  assert.equal((await signIn(service, ada.member.email)).status, 401);
  assert.equal((await signIn(service, ada.member.email, { password })).status, 200);

  assert.equal((await ada.call("DELETE", "/v1/members/me/password")).status, 204);
  assert.equal((await signIn(service, ada.member.email, { password })).status, 401);
  await until(async () => {
    const own = await service.call("GET", "/v1/session", undefined, as);
    return own.status === 401 || null;
  }, "the sessions of the password end");
  assert.deepEqual((await ada.call("DELETE", "/v1/members/me/password")).json.code, "no_password");
  const operations = await operationsOf(service);
  for (const each of ["setPassword done", "removePassword done", "signInWithPassword done"]) {
    assert.ok(operations.includes(each), `${each} in ${operations.join(", ")}`);
  }
});

test("tries are limited for a member over all replicas, and a key still signs in", async (t) => {
  const { service, ada } = await startedWith(t);
  const { email } = ada.member;
  assert.equal((await signIn(service, email)).status, 200, "a success is no guess");
  const guesses = Array.from({ length: 10 }, (_, n) =>
    signIn(service, email, { password: `no ${n}` }),
  );
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  assert.deepEqual(statuses, new Array(10).fill(401));
  const limited = await signIn(service, email);
  assert.deepEqual([limited.status, limited.json.code], [429, "too_many_tries"]);
  const waitS = Number(limited.headers.get("retry-after"));
  assert.ok(waitS > 0 && waitS <= 900, `Retry-After: ${waitS}`);
  assert.equal((await service.call("POST", "/v1/session", { key: ada.key })).status, 200);
  const refused = (await operationsOf(service)).filter((each) => each.includes("too_many_tries"));
  assert.deepEqual(refused, ["signInWithPassword refused too_many_tries"]);
});

test("tries count for 15 minutes, and a link for an hour", async (t) => {
  const { service, ada } = await startedWith(t, virtual);
  const { email } = ada.member;
  for (let n = 0; n < 10; n++) await signIn(service, email, { password: "wrong" });
  assert.equal((await signIn(service, email)).status, 429);
  await advance(service, "15m");
  assert.equal((await signIn(service, email)).status, 200);
  const { json: link } = await service.call(
    "POST",
    `/v1/members/${ada.member.id}/password-reset`,
    {},
  );
  await advance(service, "61m");
  const reset = { token: link.url.split("#token=")[1], password: "a new long one" };
  const late = await service.call("POST", "/v1/password-reset", reset, { authorization: "" });
  assert.deepEqual([late.status, late.json.code], [404, "password_reset_over"]);
});

test("an unknown address is limited like a member's", async (t) => {
  const { service } = await startedWith(t);
  const tryOnce = () => signIn(service, "nobody@example.org");
  for (let n = 0; n < 10; n++) assert.equal((await tryOnce()).status, 401);
  assert.equal((await tryOnce()).status, 429);
});

test("a network is limited over all addresses", async (t) => {
  const { service, ada } = await startedWith(t);
  const tryOnce = (n: number) => signIn(service, `nobody-${n}@example.org`);
  const answers = await Promise.all(Array.from({ length: 104 }, (_, n) => tryOnce(n)));
  const limited = answers.filter(({ status }) => status === 429);
  assert.equal(limited.length, 4);
  assert.match(limited[0]!.json.error, /from your network/);
  assert.equal((await signIn(service, ada.member.email)).status, 429);
  assert.equal((await service.call("POST", "/v1/session", { key: ada.key })).status, 200);
});

test("a reset link works once, ends the sessions and signs in", async (t) => {
  const { service, ada } = await startedWith(t);
  const path = `/v1/members/${ada.member.id}/password-reset`;
  assert.equal((await ada.call("POST", path, {})).status, 403, "a dev is no admin");
  const earlier = await service.call("POST", path, {});
  const { json: link, text } = await service.call("POST", path, {});
  const token = (each: { url: string }) => each.url.split("#token=")[1]!;
  assert.match(link.url, /\/password-reset#token=fhr_[a-z0-9]{40}$/, text);
  assert.equal(link.mailed, false);
  const minutes = (Date.parse(link.expiresAt) - Date.now()) / 60_000;
  assert.ok(minutes > 58 && minutes <= 60.1, `valid for ${minutes} minutes`);
  const session = await signIn(service, ada.member.email);
  const use = (which: object, password: string) =>
    service.call("POST", "/v1/password-reset", { ...which, password }, { authorization: "" });
  const password = "a new long one";
  const replaced = await use({ token: token(earlier.json) }, password);
  assert.deepEqual([replaced.status, replaced.json.code], [404, "password_reset_over"]);
  const weak = await use({ token: token(link) }, "password");
  assert.equal(weak.status, 400, "and the link stays valid");
  const both = await Promise.all([1, 2].map(() => use({ token: token(link) }, password)));
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 404]);
  const answer = both.find(({ status }) => status === 200)!;
  await until(async () => {
    const old = await service.call("GET", "/v1/session", undefined, cookieOf(session));
    return old.status === 401 || null;
  }, "the earlier session ends");
  assert.equal((await signIn(service, ada.member.email)).status, 401);
  const as = { ...cookieOf(answer), origin: service.origin };
  const change = (body: object) => service.call("PUT", "/v1/members/me/password", body, as);
  const again = await change({ password: PASSWORD });
  assert.equal(again.status, 200, again.text);
  await until(async () => {
    const { status } = await change({ password: "the third long one" });
    return status === 400 || null;
  }, "only the first change needs no current password");

  const operations = await operationsOf(service);
  for (const each of ["createPasswordReset done", "usePasswordReset done"]) {
    assert.ok(operations.includes(each), `${each} in ${operations.join(", ")}`);
  }
});

test("an invitation is accepted with a password, and a removed member has none", async (t) => {
  const service = await simulatedService(t);
  const { token } = await invite(service, "dev", "grace@example.org");
  const accept = (password: string) =>
    service.call("POST", "/v1/invitations/accept", { token, password }, { authorization: "" });
  assert.equal((await accept("password")).json.code, "password_refused");
  const accepted = await accept(PASSWORD);
  assert.equal(accepted.status, 201, accepted.text);
  assert.equal((await signIn(service, "grace@example.org")).status, 200);
  const path = `/v1/members/${accepted.json.member.id}`;
  const { json: link } = await service.call("POST", `${path}/password-reset`, {});
  assert.equal((await service.call("DELETE", path)).status, 204);
  assert.equal((await signIn(service, "grace@example.org")).status, 401);
  const reset = { token: link.url.split("#token=")[1], password: PASSWORD };
  const refused = await service.call("POST", "/v1/password-reset", reset, { authorization: "" });
  assert.equal(refused.status, 404);
});

test("a member of two accounts chooses one where both have the same password", async (t) => {
  const { service } = await startedWith(t);
  const { json: lab } = await service.call("POST", "/v1/accounts", { name: "lab" });
  const asLab = { authorization: `Bearer ${lab.key}` };
  const invitation = { email: "ada@example.org", role: "basic" };
  const { json: invited } = await service.call("POST", "/v1/invitations", invitation, asLab);
  const acceptance = { token: invited.token, password: "one of the lab" };
  const accepted = await service.call("POST", "/v1/invitations/accept", acceptance, {
    authorization: "",
  });
  assert.equal(accepted.status, 201, accepted.text);
  const inLab = await signIn(service, "ada@example.org", { password: "one of the lab" });
  assert.equal(inLab.json.account?.id, lab.id, inLab.text);
  assert.notEqual((await signIn(service, "ada@example.org")).json.account.id, lab.id);

  const as = { authorization: `Bearer ${accepted.json.key}` };
  const same = { password: PASSWORD, current: "one of the lab" };
  assert.equal((await service.call("PUT", "/v1/members/me/password", same, as)).status, 200);
  const several = await signIn(service, "ada@example.org");
  assert.deepEqual([several.status, several.json.code], [409, "several_accounts"]);
  const ids = several.json.accounts.map(({ id }: { id: string }) => id);
  assert.equal(ids.length, 2);
  for (const accountId of ids) {
    const { json } = await signIn(service, "ada@example.org", { accountId });
    assert.equal(json.account?.id, accountId);
  }
});

test("a key with fewer rights sets no password", async (t) => {
  const { service, ada } = await startedWith(t);
  const limited = {
    name: "reader",
    permissions: { rest: "write", graphql: "none", queue: "none" },
  };
  const { json } = await ada.call("POST", "/v1/keys", limited);
  const body = { password: "another long one", current: PASSWORD };
  const as = { authorization: `Bearer ${json.key}` };
  const refused = await service.call("PUT", "/v1/members/me/password", body, as);
  assert.deepEqual([refused.status, refused.json.code], [403, "forbidden"], refused.text);
});

test("without passwords nothing takes one, and keys sign in", async (t) => {
  const service = await simulatedService(t, { env: { FREEHOLD_PASSWORDS: "off" } });
  assert.equal((await service.call("GET", "/v1/sign-in")).json.passwords, false);
  const ada = await join(service, "dev", "Ada", "ada@example.org");
  const { token } = await invite(service, "dev", "grace@example.org");
  const answers = [
    await signIn(service, "ada@example.org"),
    await ada.call("PUT", "/v1/members/me/password", { password: PASSWORD }),
    await ada.call("POST", "/v1/members/me/totp"),
    await service.call("POST", `/v1/members/${ada.member.id}/password-reset`, {}),
    await service.call("POST", "/v1/password-reset", { token: "fhr_x", password: PASSWORD }),
    await service.call("POST", "/v1/invitations/accept", { token, password: PASSWORD }),
  ];
  for (const { status, json } of answers) {
    assert.deepEqual([status, json.code], [403, "passwords_off"]);
  }
  assert.equal((await service.call("POST", "/v1/session", { key: ada.key })).status, 200);
});

test("a sign-in takes a key alone, or an address and a password", async (t) => {
  const { service, ada } = await startedWith(t);
  const whole = { email: ada.member.email, password: PASSWORD };
  for (const body of [{}, { email: "a@b" }, { password: "x" }, { key: ada.key, ...whole }]) {
    const { status, json } = await service.call("POST", "/v1/session", body);
    assert.deepEqual([status, json.code], [400, "invalid_body"]);
  }
  const headers = { origin: "https://elsewhere.example", authorization: "" };
  const { status } = await service.call("POST", "/v1/session", whole, headers);
  assert.equal(status, 403, "a page of another site signs nobody in");
});
