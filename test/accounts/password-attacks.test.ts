// Attacks on passwords beside guesses: races, texts that are not what they seem, other sites' pages, keys with fewer rights.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type TOTP, URI } from "otpauth";
import { type Answer, startService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { cookieOf, PASSWORD, signIn, startedWith } from "./password-scene.ts";

const OWN = "/v1/members/me/password";
const CODES = "/v1/members/me/totp";
const codeOf = ({ status, json }: Answer) =>
  status < 300 ? `${status}` : `${status} ${json.code}`;
const tokenOf = ({ json }: Answer): string => json.url.split("#token=")[1];

test("of raced uses of one recovery code, at sign-ins and a reset, one succeeds", async (t) => {
  const { service, ada } = await startedWith(t);
  const app = URI.parse((await ada.call("POST", CODES)).json.uri) as TOTP;
  const confirms = await Promise.all(
    [0, 1].map(() => ada.call("PUT", CODES, { code: app.generate() })),
  );
  assert.deepEqual(confirms.map(codeOf).sort(), ["200", "409 totp_on"]);
  const { recoveryCodes } = confirms.find(({ status }) => status === 200)!.json;
  const link = await service.call("POST", `/v1/members/${ada.member.id}/password-reset`, {});
  const code = recoveryCodes[0];
  const reset = { token: tokenOf(link), password: "a new long one", code };
  const answers = await Promise.all([
    service.call("POST", "/v1/password-reset", reset, { authorization: "" }),
    ...[0, 1, 2].map(() => signIn(service, ada.member.email, { code })),
  ]);
  const successes = answers.filter(({ status }) => status === 200);
  assert.equal(successes.length, 1, answers.map(codeOf).join(", "));
});

test("a password that changes while it is tried opens nothing that outlives the change", async (t) => {
  const { service, ada } = await startedWith(t);
  const next = "another long one";
  const [changed, ...entered] = await Promise.all([
    ada.call("PUT", OWN, { password: next, current: PASSWORD }),
    ...[0, 1, 2, 3].map(() => signIn(service, ada.member.email)),
  ]);
  assert.equal(changed!.status, 200, changed!.text);
  for (const answer of entered.filter(({ status }) => status === 200)) {
    await until(async () => {
      const { status } = await service.call("GET", "/v1/session", undefined, cookieOf(answer));
      return status === 401 || null;
    }, "the session ends");
  }
  assert.equal(codeOf(await signIn(service, ada.member.email)), "401 sign_in_failed");
});

test("of raced changes one is saved, and the others are refused as if the current one were wrong", async (t) => {
  const { service, ada } = await startedWith(t);
  const passwords = ["the first long one", "the second long one", "the third long one"];
  const answers = await Promise.all(
    passwords.map((password) => ada.call("PUT", OWN, { password, current: PASSWORD })),
  );
  assert.deepEqual(answers.map(codeOf).sort(), ["200", "403 password_wrong", "403 password_wrong"]);
  const saved = passwords[answers.findIndex(({ status }) => status === 200)]!;
  assert.equal(codeOf(await signIn(service, ada.member.email, { password: saved })), "200");
});

test("a link that is used while its member is removed leaves no session", async (t) => {
  const { service, ada } = await startedWith(t);
  const path = `/v1/members/${ada.member.id}`;
  const token = tokenOf(await service.call("POST", `${path}/password-reset`, {}));
  const [used, removed] = await Promise.all([
    service.call(
      "POST",
      "/v1/password-reset",
      { token, password: "a new long one" },
      {
        authorization: "",
      },
    ),
    service.call("DELETE", path),
  ]);
  assert.equal(removed.status, 204);
  if (used.status === 200) {
    await until(async () => {
      const { status } = await service.call("GET", "/v1/session", undefined, cookieOf(used));
      return status === 401 || null;
    }, "the session ends");
  } else assert.equal(codeOf(used), "404 password_reset_over");
  const now = await signIn(service, ada.member.email, { password: "a new long one" });
  assert.equal(codeOf(now), "401 sign_in_failed");
});

test("passwords are compared as they are measured, whatever the form of their characters", async (t) => {
  const { service, ada } = await startedWith(t);
  const set = (password: string) => ada.call("PUT", OWN, { password, current: PASSWORD });
  const short = await set("\u00e9".repeat(7).normalize("NFD"));
  assert.equal(short.json.error, "The password must have 8 to 1,024 characters; it has 7.");
  for (const [text, complaint] of [
    ["a password\0", "NUL"],
    [`a password\ud800`, "surrogate"],
  ] as const) {
    const refused = await set(text);
    assert.equal(refused.status, 400);
    assert.match(refused.json.error, new RegExp(complaint));
    assert.ok(!refused.text.includes("a password"), refused.text);
  }
  const longest = "\u00e9".repeat(1024).normalize("NFD");
  assert.equal((await set(longest)).status, 200, "1,024 characters in twice as many code points");
  assert.equal(codeOf(await signIn(service, ada.member.email, { password: longest })), "200");
  const cut = longest.normalize("NFC").slice(0, -1);
  assert.equal((await signIn(service, ada.member.email, { password: cut })).status, 401);
  const widest = "\u{1f511}".repeat(1024);
  const next = { password: widest, current: longest };
  assert.equal((await ada.call("PUT", OWN, next)).status, 200);
  assert.equal(codeOf(await signIn(service, ada.member.email, { password: widest })), "200");
});

test("texts of any kind and length are refused alike, and none is repeated", async (t) => {
  const { service, ada } = await startedWith(t);
  const long = "secretly ".repeat(600);
  for (const fields of [
    { email: "ada\0@example.org" },
    { password: long },
    { password: "secretly \0" },
    { password: ["secretly"] },
    { password: { secretly: 1 } },
    { code: long },
    { secretly: true },
    { key: "fh_secretly" },
  ]) {
    const answer = await signIn(service, ada.member.email, fields);
    assert.equal(answer.status, 400, JSON.stringify(fields).slice(0, 80));
    if (!("secretly" in fields)) {
      assert.ok(!answer.text.includes("secretly"), answer.text.slice(0, 300));
    }
  }
  for (const email of [
    "",
    " ",
    "' or 1=1 --",
    "%",
    "ada@example.org\u0000".slice(0, -1).concat("\u202e"),
  ]) {
    assert.equal(codeOf(await signIn(service, email)), "401 sign_in_failed", JSON.stringify(email));
  }
  assert.equal(codeOf(await signIn(service, " ADA@EXAMPLE.ORG ")), "200");
});

test("only pages of the service sign in, and its cookie stays with them", async (t) => {
  const { service, ada } = await startedWith(t);
  const path = `/v1/members/${ada.member.id}/password-reset`;
  const token = tokenOf(await service.call("POST", path, {}));
  const reset = { token, password: "a new long one" };
  const entry = { email: ada.member.email, password: PASSWORD };
  for (const [address, body] of [
    ["/v1/session", entry],
    ["/v1/password-reset", reset],
  ] as const) {
    for (const origin of ["https://evil.example", "null", `${service.origin}.evil.example`]) {
      const answer = await service.call("POST", address, body, { authorization: "", origin });
      assert.equal(codeOf(answer), "403 forbidden", `${address} from ${origin}`);
      assert.equal(answer.headers.get("set-cookie"), null);
    }
    const form = await service.call("POST", address, JSON.stringify(body), {
      authorization: "",
      origin: "null",
      "content-type": "text/plain",
    });
    assert.equal(codeOf(form), "403 forbidden", `${address} from a form`);
  }
  const own = { authorization: "", origin: service.origin };
  const entered = await service.call("POST", "/v1/session", entry, own);
  const cookie = entered.headers.get("set-cookie")!;
  assert.match(
    cookie,
    /^freehold_session\w*=fhs_\w+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
  );
  assert.ok(!entered.text.includes("fhs_"), "scripts cannot read the session's secret");
  const other = { ...cookieOf(entered), origin: "https://evil.example" };
  assert.equal(codeOf(await service.call("DELETE", OWN, undefined, other)), "403 forbidden");
  const used = await service.call("POST", "/v1/password-reset", reset, own);
  assert.match(used.headers.get("set-cookie")!, /HttpOnly; SameSite=Strict/);
});

test("a key with fewer rights does not remove the second step, even with the password", async (t) => {
  const { service, ada } = await startedWith(t);
  const app = URI.parse((await ada.call("POST", CODES)).json.uri) as TOTP;
  assert.equal((await ada.call("PUT", CODES, { code: app.generate() })).status, 200);
  const permissions = { rest: "write", graphql: "none", queue: "none" };
  const { json } = await ada.call("POST", "/v1/keys", { name: "limited", permissions });
  const as = { authorization: `Bearer ${json.key}` };
  const removed = await service.call("DELETE", CODES, { password: PASSWORD }, as);
  assert.equal(codeOf(removed), "403 forbidden", removed.text);
  assert.equal(codeOf(await signIn(service, ada.member.email)), "401 code_required");
});

test("passwords that are turned off open nothing, can be removed, and work again once on", async (t) => {
  const { service, ada } = await startedWith(t);
  const session = cookieOf(await signIn(service, ada.member.email));
  const path = `/v1/members/${ada.member.id}/password-reset`;
  const token = tokenOf(await service.call("POST", path, {}));
  await service.stop();
  const { dataFolder } = service;
  const off = await startService(t, { dataFolder, env: { FREEHOLD_PASSWORDS: "off" } });
  assert.equal(codeOf(await signIn(off, ada.member.email)), "403 passwords_off");
  const reset = { token, password: "a new long one" };
  const used = await off.call("POST", "/v1/password-reset", reset, { authorization: "" });
  assert.equal(codeOf(used), "403 passwords_off");
  const { port } = new URL(off.origin);
  const renamed = { ...session, cookie: session.cookie!.replace(/_\d+=/, `_${port}=`) };
  assert.equal(codeOf(await off.call("GET", "/v1/session", undefined, renamed)), "200");
  await off.stop();
  const on = await startService(t, { dataFolder });
  assert.equal(codeOf(await signIn(on, ada.member.email)), "200");
});
