// Tests of notifications by e-mail, with a real mail server.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { startService } from "../fixtures/service/service.ts";
import { startMailServer } from "./mail-server.ts";

async function openWith(t: TestContext, smtpUrl: string) {
  const env = {
    FREEHOLD_SMTP_URL: smtpUrl,
    FREEHOLD_MAIL_FROM: "Freehold <cloud@example.org>",
    FREEHOLD_PUBLIC_URL: "https://cloud.example.org",
  };
  const service = await startService(t, { env });
  const channel = { type: "email", to: ["ada@example.org", "grace@example.org"] };
  const rule = { name: "On call", events: ["pod_ended"], channel };
  const { status, json, text } = await service.call("POST", "/v1/notification-rules", rule);
  assert.equal(status, 201, text);
  const { json: sent } = await service.call("POST", `/v1/notification-rules/${json.id}/test`);
  return { state: sent.state, result: sent.deliveries[0].tries[0], sent };
}

test("a message arrives over STARTTLS with a password", async (t) => {
  const server = await startMailServer(t);
  const options = "tls.rejectUnauthorized=false";
  const { state, result, sent } = await openWith(
    t,
    `smtp://ada:secret@127.0.0.1:${server.port}/?${options}`,
  );
  assert.deepEqual([state, result.status], ["delivered", 250]);
  const [mail] = server.received;
  assert.deepEqual([mail!.secure, mail!.user], [true, "ada"]);
  assert.deepEqual(mail!.to, ["ada@example.org", "grace@example.org"]);
  assert.equal(mail!.from, "cloud@example.org");
  assert.match(mail!.text, /^Subject: This is a test of the notification rule On call\.$/m);
  assert.match(mail!.text, new RegExp(`^Message-ID: <msg_${sent.id}@example.org>`, "im"));
  assert.match(
    mail!.text.replaceAll("=\r\n", ""),
    /rule On call\. https:\/\/cloud\.example\.org\/notifications/,
  );
  assert.match(mail!.text, /^Auto-Submitted: auto-generated/im);
});

test("a try says that a certificate, a password or an address is refused", async (t) => {
  const server = await startMailServer(t, {
    onRcptTo({ address }, _, callback) {
      callback(address.startsWith("grace") ? new Error("no such mailbox") : null);
    },
  });
  const { port } = server;
  const untrusted = await openWith(t, `smtp://ada:secret@127.0.0.1:${port}`);
  assert.match(untrusted.result.error, /certificate/);
  const trust = "tls.rejectUnauthorized=false";
  const wrong = await openWith(t, `smtp://ada:guess@127.0.0.1:${port}/?${trust}`);
  assert.equal(wrong.result.status, 535);
  assert.doesNotMatch(JSON.stringify(wrong.sent), /guess/);
  const partly = await openWith(t, `smtp://ada:secret@127.0.0.1:${port}/?${trust}`);
  assert.equal(partly.state, "failed");
  assert.equal(partly.result.error, "the server refused grace@example.org");
  assert.deepEqual(server.received[0]!.to, ["ada@example.org"]);
});

test("a try says that there is no server", async (t) => {
  const { state, result } = await openWith(t, "smtp://127.0.0.1:9");
  assert.equal(state, "failed");
  assert.match(result.error, /ECONNREFUSED/);
});
