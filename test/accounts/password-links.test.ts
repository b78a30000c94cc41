// Tests of reset links by mail and by the command line.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type TOTP, URI } from "otpauth";
import { freehold } from "../cli/command.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { startMailServer } from "../notification/mail-server.ts";
import { signIn, startedWith } from "./password-scene.ts";

const LINK = /https?:\/\/[\w.:]+\/password-reset#token=(fhr_\w{40})/;

async function use(service: TestService, token: string): Promise<number> {
  const body = { token, password: "a new long one" };
  return (await service.call("POST", "/v1/password-reset", body, { authorization: "" })).status;
}

test("a link is mailed to the member alone, with the public address, and works", async (t) => {
  const mail = await startMailServer(t);
  const { service, ada } = await startedWith(t, {
    env: {
      FREEHOLD_SMTP_URL: `smtp://ada:secret@127.0.0.1:${mail.port}/?tls.rejectUnauthorized=false`,
      FREEHOLD_MAIL_FROM: "Freehold <cloud@example.org>",
      FREEHOLD_PUBLIC_URL: "https://cloud.example.org",
    },
  });
  const path = `/v1/members/${ada.member.id}/password-reset`;
  const { json, text } = await service.call("POST", path, {}, { host: "evil.example" });
  assert.equal(json.mailed, true, text);
  const message = await until(async () => mail.received[0] ?? null, "the mail");
  assert.deepEqual([message.to, message.from], [[ada.member.email], "cloud@example.org"]);
  assert.match(message.text, /^Subject: Set your password$/m);
  const body = message.text.replaceAll("=\r\n", "").replaceAll("=3D", "=");
  const [url, token] = LINK.exec(body)!;
  assert.equal(url, json.url);
  assert.ok(url.startsWith("https://cloud.example.org/"), url);
  assert.equal(await use(service, token!), 200);
  assert.equal(await use(service, token!), 404);
});

test("a mail server that refuses leaves the administrator's link", async (t) => {
  const mail = await startMailServer(t, {
    onRcptTo: (_address, _session, callback) => callback(new Error("no such mailbox")),
  });
  const { service, ada } = await startedWith(t, {
    env: {
      FREEHOLD_SMTP_URL: `smtp://127.0.0.1:${mail.port}/?tls.rejectUnauthorized=false`,
      FREEHOLD_MAIL_FROM: "Freehold <cloud@example.org>",
    },
  });
  const path = `/v1/members/${ada.member.id}/password-reset`;
  const { status, json } = await service.call("POST", path, {});
  assert.equal(status, 201);
  assert.equal(await use(service, LINK.exec(json.url)![1]!), 200);
  assert.deepEqual(mail.received, []);
});

test("an operator makes a link on the machine itself", async (t) => {
  const { service, ada } = await startedWith(t);
  const run = (...args: string[]) =>
    freehold(["members", "reset-password", ...args, "--data", service.dataFolder]);
  const printed = await run("Ada@Example.org");
  assert.equal(printed.code, 0, printed.stderr);
  const [url = "", sentence] = printed.stdout.split("\n");
  assert.match(sentence!, /^The link works once, until \d{4}-\d\d-\d\d \d\d:\d\d/);
  const quiet = await run(ada.member.email, "--quiet");
  assert.equal(await use(service, LINK.exec(url)![1]!), 404, "a later link replaces it");
  const token = LINK.exec(quiet.stdout)![1]!;
  assert.equal(quiet.stdout.trim(), LINK.exec(quiet.stdout)![0]);
  assert.equal(await use(service, token), 200);
  const password = "a new long one";
  assert.equal((await signIn(service, ada.member.email, { password })).status, 200);

  const { json: begun } = await ada.call("POST", "/v1/members/me/totp");
  const code = (URI.parse(begun.uri) as TOTP).generate();
  assert.equal((await ada.call("PUT", "/v1/members/me/totp", { code })).status, 200);
  const removing = JSON.parse((await run(ada.member.email, "--remove-totp", "--json")).stdout);
  assert.equal(removing.mailed, false);
  assert.equal(await use(service, LINK.exec(removing.url)![1]!), 200);

  const unknown = await run("nobody@example.org");
  assert.deepEqual(
    [unknown.code, unknown.stdout, unknown.stderr],
    [2, "", 'freehold: no member has the e-mail address "nobody@example.org"\n'],
  );
});
