// Attacks on the limits of tries: over replicas and restarts, by answers that differ, by successes that clear guesses, and by clocks.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type TOTP, URI } from "otpauth";
import { systemClock } from "../../src/base/clock.ts";
import { type Answer, startService, type TestService } from "../fixtures/service/service.ts";
import { operationsOf, PASSWORD, signIn, startedWith } from "./password-scene.ts";

const UNKNOWN = "nobody@example.org";
const codeOf = ({ status, json }: Answer) => `${status} ${json.code ?? ""}`;

async function guess(service: TestService, email: string, times: number, more: object = {}) {
  const answers: string[] = [];
  for (let n = 0; n < times; n++) {
    answers.push(codeOf(await signIn(service, email, { password: `guess ${n}`, ...more })));
  }
  return answers;
}

test("guesses on each replica count together, and still after a restart", async (t) => {
  const { service, ada } = await startedWith(t);
  for (let n = 0; n < 10; n++) {
    const { origin } = service.replicas[n % service.replicas.length]!;
    const body = JSON.stringify({ email: ada.member.email, password: `guess ${n}` });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${origin}/v1/session`, { method: "POST", body, headers });
    assert.equal(answer.status, 401);
  }
  await service.stop();
  const { dataFolder } = service;
  const restarted = await startService(t, { dataFolder });
  assert.equal(codeOf(await signIn(restarted, ada.member.email)), "429 too_many_tries");
});

test("no order of tries with and without an account tells a member's address", async (t) => {
  const { service, ada } = await startedWith(t);
  const { json } = await service.call("GET", "/v1/session");
  for (const [first, second] of [
    [{ accountId: json.account.id }, {}],
    [{}, { accountId: json.account.id }],
    [{ accountId: "user_other" }, {}],
  ]) {
    const answers: string[][] = [];
    for (const email of [ada.member.email, UNKNOWN]) {
      answers.push([
        ...(await guess(service, email, 10, first)),
        ...(await guess(service, email, 2, second)),
      ]);
    }
    assert.deepEqual(answers[0], answers[1], JSON.stringify([first, second]));
  }
});

test("a success takes back its own try, and not the guesses before it", async (t) => {
  const { service, ada } = await startedWith(t);
  const { email } = ada.member;
  assert.deepEqual(new Set(await guess(service, email, 9)), new Set(["401 sign_in_failed"]));
  for (let n = 0; n < 12; n++) assert.equal((await signIn(service, email)).status, 200);
  assert.deepEqual(await guess(service, email, 2), ["401 sign_in_failed", "429 too_many_tries"]);
});

test("a member of another account with the address cannot clear the guesses of the first", async (t) => {
  const { service, ada } = await startedWith(t);
  const { json: lab } = await service.call("POST", "/v1/accounts", { name: "lab" });
  const asLab = { authorization: `Bearer ${lab.key}` };
  const invitation = { email: ada.member.email, role: "basic" };
  const { json: invited } = await service.call("POST", "/v1/invitations", invitation, asLab);
  const password = "one of the attacker";
  const acceptance = { token: invited.token, password };
  await service.call("POST", "/v1/invitations/accept", acceptance, { authorization: "" });
  const statuses: number[] = [];
  for (let n = 0; n < 12; n++) {
    statuses.push((await signIn(service, ada.member.email, { password: `guess ${n}` })).status);
    const own = await signIn(service, ada.member.email, { password, accountId: lab.id });
    assert.equal(own.status, n < 9 ? 200 : 429);
  }
  assert.deepEqual(statuses, [...new Array(10).fill(401), 429, 429]);
});

test("setting up one-time codes clears no guesses of the password", async (t) => {
  const { ada } = await startedWith(t);
  const change = () =>
    ada.call("PUT", "/v1/members/me/password", { password: "a new long one", current: "a guess" });
  for (let n = 0; n < 9; n++) assert.equal(codeOf(await change()), "403 password_wrong");
  const { json } = await ada.call("POST", "/v1/members/me/totp");
  const code = (URI.parse(json.uri) as TOTP).generate();
  const confirmed = await ada.call("PUT", "/v1/members/me/totp", { code });
  assert.equal(confirmed.status, 200, confirmed.text);
  const [recoveryCode] = confirmed.json.recoveryCodes;
  assert.equal(
    (await ada.call("DELETE", "/v1/members/me/totp", { code: recoveryCode })).status,
    204,
  );
  assert.equal(codeOf(await change()), "403 password_wrong");
  assert.equal(codeOf(await change()), "429 too_many_tries");
});

test("sign-ins with a code leave no try, and wrong codes do", async (t) => {
  const { service, ada } = await startedWith(t);
  const { email } = ada.member;
  const { json } = await ada.call("POST", "/v1/members/me/totp");
  const code = (URI.parse(json.uri) as TOTP).generate();
  const { json: confirmed } = await ada.call("PUT", "/v1/members/me/totp", { code });
  for (let n = 0; n < 15; n++)
    assert.equal(codeOf(await signIn(service, email)), "401 code_required");
  const guesses = await guess(service, email, 10, { password: PASSWORD, code: "000000x" });
  assert.deepEqual(guesses, new Array(10).fill("403 code_refused"));
  const right = { code: confirmed.recoveryCodes[0] };
  assert.equal(codeOf(await signIn(service, email, right)), "429 too_many_tries");
  const limited = (await operationsOf(service)).filter((each) => each.includes("too_many_tries"));
  assert.equal(limited.length, 1);
});

test("a clock that steps back does not lock an address for longer than the window", async (t) => {
  let aheadMs = 86_400_000;
  const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  const { service, ada } = await startedWith(t, { clock, replicas: null });
  await guess(service, ada.member.email, 10);
  aheadMs = 0;
  const limited = await signIn(service, ada.member.email);
  assert.equal(limited.status, 429);
  const waitS = Number(limited.headers.get("retry-after"));
  assert.ok(waitS > 0 && waitS <= 900, `Retry-After: ${waitS}`);
});
