// Tests of one-time codes, computed as an authenticator app computes them.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type TOTP, URI } from "otpauth";
import type { ServiceOptions } from "../fixtures/service/service.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { cookieOf, operationsOf, PASSWORD, signIn, startedWith } from "./password-scene.ts";

const path = "/v1/members/me/totp";

async function startedWithCodes(t: TestContext, options: ServiceOptions = {}) {
  const { service, ada } = await startedWith(t, options);
  const begun = await ada.call("POST", path);
  assert.equal(begun.status, 201, begun.text);
  const app = URI.parse(begun.json.uri) as TOTP;
  assert.equal(app.secret.base32, begun.json.secret);
  assert.deepEqual([app.issuer, app.label], ["Freehold", "ada@example.org"]);
  /** The app's code so many steps from now. */
  const code = async (steps = 0) => {
    const { json } = await service.call("GET", "/v1/clock");
    return app.generate({ timestamp: Date.parse(json.now) + steps * 30_000 });
  };
  const confirm = (text: string) => ada.call("PUT", path, { code: text });
  return { service, ada, code, confirm, email: ada.member.email };
}

test("a sign-in needs a code once codes are confirmed, and each works once", async (t) => {
  const scene = await startedWithCodes(t, virtual);
  const { service, ada, code, confirm, email } = scene;
  assert.equal((await signIn(service, email)).status, 200, "codes that wait are not asked for");
  const wrong = await confirm(await code(5));
  assert.deepEqual([wrong.status, wrong.json.code], [403, "code_refused"]);
  const confirming = await code();
  const confirmed = await confirm(confirming);
  assert.equal(confirmed.status, 200, confirmed.text);
  assert.equal(new Set(confirmed.json.recoveryCodes).size, 10);
  assert.equal((await confirm(await code())).json.code, "totp_on");
  assert.equal((await ada.call("POST", path)).json.code, "totp_on");

  const without = await signIn(service, email);
  assert.deepEqual([without.status, without.json.code], [401, "code_required"]);
  assert.equal((await signIn(service, email, { password: "wrong" })).json.code, "sign_in_failed");
  const reused = await signIn(service, email, { code: confirming });
  assert.deepEqual([reused.status, reused.json.code], [403, "code_refused"]);
  const early = await signIn(service, email, { code: await code(1) });
  assert.equal(early.status, 200, early.text);
  assert.ok(early.json.totp.confirmedAt);
  const passed = await signIn(service, email, { code: await code(0) });
  assert.equal(passed.json.code, "code_refused", "a code before the latest one");
  await advance(service, "150s");
  assert.equal((await signIn(service, email, { code: await code(-2) })).json.code, "code_refused");
  assert.equal((await signIn(service, email, { code: await code(2) })).json.code, "code_refused");
  assert.equal((await signIn(service, email, { code: await code(-1) })).status, 200, "a late one");
  const spaced = (await code()).replace(/^(...)/, "$1 ");
  assert.equal((await signIn(service, email, { code: spaced })).status, 200, "as apps show it");
  const operations = await operationsOf(service);
  assert.ok(operations.includes("beginTotp done") && operations.includes("confirmTotp done"));
});

test("of parallel sign-ins with one code, one succeeds on all replicas", async (t) => {
  const { service, code, confirm, email } = await startedWithCodes(t);
  const { json } = await confirm(await code(-1));
  const once = async (text: string) => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => signIn(service, email, { code: text })),
    );
    return answers.map(({ status }) => status).sort();
  };
  assert.deepEqual(await once(await code(1)), [200, 403, 403, 403]);
  const [first] = json.recoveryCodes as string[];
  assert.deepEqual(await once(first!.toUpperCase().replaceAll("-", " ")), [200, 403, 403, 403]);
});

test("codes are removed with a code, the password or an administrator's link", async (t) => {
  const { service, ada, code, confirm, email } = await startedWithCodes(t);
  const { json } = await confirm(await code());
  const remove = (body: object) => ada.call("DELETE", path, body);
  assert.equal((await remove({})).status, 400);
  assert.equal((await remove({ password: "wrong" })).json.code, "password_wrong");
  assert.equal((await remove({ code: "123" })).json.code, "code_refused");
  assert.equal((await remove({ code: json.recoveryCodes[3] })).status, 204);
  assert.equal((await signIn(service, email)).status, 200);
  const again = await ada.call("POST", path);
  assert.equal(again.status, 201);
  const app = URI.parse(again.json.uri) as TOTP;
  assert.equal((await confirm(app.generate())).status, 200);
  assert.equal((await signIn(service, email, { code: json.recoveryCodes[4] })).status, 403);

  const reset = async (body: object, more: object = {}) => {
    const link = await service.call("POST", `/v1/members/${ada.member.id}/password-reset`, body);
    const token = link.json.url.split("#token=")[1];
    const use = { token, password: "a new long one", ...more };
    return service.call("POST", "/v1/password-reset", use, { authorization: "" });
  };
  assert.equal((await reset({})).json.code, "code_required", "a link alone is no second step");
  const removed = await reset({ removeTotp: true });
  assert.equal(removed.status, 200, removed.text);
  assert.equal(removed.json.totp, null);
  const as = { ...cookieOf(removed), origin: service.origin };
  assert.equal((await service.call("POST", path, undefined, as)).status, 201);
  assert.equal(
    (await service.call("DELETE", path, {}, as)).status,
    204,
    "what waits needs no code",
  );
});

test("guesses of codes count as tries", async (t) => {
  const { service, code, confirm, email } = await startedWithCodes(t);
  await confirm(await code());
  const guess = () => signIn(service, email, { password: PASSWORD, code: "abc" });
  for (let n = 0; n < 10; n++) assert.equal((await guess()).status, 403);
  assert.equal((await guess()).status, 429);
});

test("codes need a password", async (t) => {
  const { ada } = await startedWith(t);
  assert.equal((await ada.call("DELETE", "/v1/members/me/password")).status, 204);
  const refused = await ada.call("POST", path);
  assert.deepEqual([refused.status, refused.json.code], [409, "no_password"]);
  assert.equal((await ada.call("PUT", path, { code: "123456" })).json.code, "totp_not_begun");
});
