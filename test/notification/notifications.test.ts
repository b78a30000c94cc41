// Tests of notifications, from an event to its receiver, with the published library of Standard Webhooks as
// the receiver's.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { randomIds } from "../../src/base/ids.ts";
import {
  type ServiceOptions,
  startService,
  type TestService,
} from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { startReceiver } from "../webhook/receiver.ts";

const protocol = {
  webhookBackoffMs: [10, 20],
  notificationGatherMs: 50,
  notificationIntervalMs: 300,
};

const openService = (t: TestContext, options: ServiceOptions = {}) =>
  startService(t, { ...options, protocol: { ...protocol, ...options.protocol } });

/** Creates a rule; the answer's body. */
async function createRule(service: TestService, channel: object, more = {}) {
  const body = { name: "On call", events: ["pod_ended"], channel, ...more };
  const { status, json, text } = await service.call("POST", "/v1/notification-rules", body);
  assert.equal(status, 201, text);
  return json;
}

/** A Pod of the simulated driver whose container ends by itself. */
async function runPod(service: TestService, args: string[], name = "trainer") {
  const body = {
    name,
    imageName: "ghcr.io/acme/trainer:1",
    driver: "simulated",
    dockerStartCmd: ["simulate", ...args],
  };
  const { status, json, text } = await service.call("POST", "/v1/pods", body);
  assert.equal(status, 201, text);
  return json.id as string;
}

const endsAtOnce = ["--exit-after-ms", "1", "--exit-code", "0"];

/** A message as its receiver reads it, if the signature is valid. */
function verified(received: { headers: object; body: string } | undefined, secret: string) {
  assert.ok(received);
  const headers = received.headers as Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any body
  return new Webhook(secret).verify(received.body, headers) as any;
}

test("the end of a Pod is announced with its exit code, signed, once", async (t) => {
  const service = await openService(t);
  const receiver = await startReceiver(t);
  const secret = randomIds.secret("whsec_");
  const rule = await createRule(service, { type: "webhook", url: receiver.url, secret });
  assert.deepEqual(rule.channel, { type: "webhook", url: receiver.url, hasSecret: true });
  const podId = await runPod(service, endsAtOnce);
  const [received] = await receiver.sent(1);
  const message = verified(received, secret);
  assert.equal(message.type, "notification");
  assert.deepEqual(message.data.rule, { id: rule.id, name: "On call" });
  const [event] = message.data.events;
  assert.equal(message.data.events.length, 1);
  assert.equal(event.type, "pod_ended");
  assert.equal(event.summary, `Pod trainer (${podId}) finished with exit code 0.`);
  assert.deepEqual(event.resource, { type: "pod", id: podId, name: "trainer" });
  const { desiredStatus, cause, exitCode } = event.details;
  assert.deepEqual([desiredStatus, cause, exitCode], ["EXITED", "finished", 0]);
  assert.throws(() => verified(received, randomIds.secret("whsec_")), /signature/);
  const { json: sent } = await service.call("GET", `/v1/notifications?ruleId=${rule.id}`);
  assert.equal(sent.length, 1);
  assert.equal(`msg_${sent[0].id}`, received!.headers["webhook-id"]);
  assert.equal(sent[0].events[0].id, event.id);
});

test("a Pod that a client stops or deletes is not announced", async (t) => {
  const service = await openService(t);
  const receiver = await startReceiver(t);
  await createRule(service, { type: "webhook", url: receiver.url });
  const stopped = await runPod(service, [], "stopped");
  await service.call("POST", `/v1/pods/${stopped}/stop`);
  await service.call("DELETE", `/v1/pods/${stopped}`);
  await runPod(service, endsAtOnce, "ended");
  const [received] = await receiver.sent(1);
  const { events } = JSON.parse(received!.body).data;
  assert.deepEqual(
    events.map(({ resource }: { resource: { name: string } }) => resource.name),
    ["ended"],
  );
});

test("a burst of events becomes one message, and none is lost", async (t) => {
  const service = await openService(t, { protocol: { notificationGatherMs: 1_500 } });
  const receiver = await startReceiver(t);
  const slack = await startReceiver(t);
  await createRule(service, { type: "webhook", url: receiver.url });
  await createRule(service, { type: "slack", webhookUrl: slack.url });
  const pods = await Promise.all(
    Array.from({ length: 30 }, (_, n) => runPod(service, endsAtOnce, `pod-${n}`)),
  );
  const announced = await until(() => {
    const events = receiver.received.flatMap(({ body }) => JSON.parse(body).data.events);
    return events.length >= pods.length ? events : null;
  });
  const ids = announced.map(({ resource }: { resource: { id: string } }) => resource.id);
  assert.deepEqual([...ids].sort(), [...pods].sort());
  assert.ok(receiver.received.length <= 5, `${receiver.received.length} messages`);
  const [text] = (await slack.sent(1)).map(({ body }) => JSON.parse(body).text as string);
  assert.match(text!, /^On call: \d+ events \(\d+ pod_ended\)\n/);
});

test("failed tries are repeated under one id, and a message is sent again on request", async (t) => {
  const service = await openService(t);
  const receiver = await startReceiver(t, [500, 503, 500, 200]);
  await createRule(service, { type: "webhook", url: receiver.url });
  await runPod(service, endsAtOnce);
  const failed = await until(async () => {
    const [sent] = (await service.call("GET", "/v1/notifications")).json;
    return sent?.state === "failed" ? sent : null;
  });
  const statuses = failed.deliveries[0].tries.map(({ status }: { status: number }) => status);
  assert.deepEqual(statuses, [500, 503, 500]);
  const again = await service.call("POST", `/v1/notifications/${failed.id}/redeliver`);
  assert.equal(again.status, 200, again.text);
  const received = await receiver.sent(4);
  assert.equal(new Set(received.map(({ headers }) => headers["webhook-id"])).size, 1);
  const { json: sent } = await service.call("GET", `/v1/notifications/${failed.id}`);
  assert.equal(sent.deliveries.length, 2);
  const other = await service.call("POST", "/v1/notifications/none/redeliver");
  assert.equal(other.json.code, "notification_not_found");
});

test("a test reports what the receiver answered, also for a disabled rule", async (t) => {
  const service = await openService(t);
  const receiver = await startReceiver(t, [404]);
  const channel = { type: "webhook", url: receiver.url };
  const rule = await createRule(service, channel, { enabled: false });
  const { json, status } = await service.call("POST", `/v1/notification-rules/${rule.id}/test`);
  assert.equal(status, 200);
  assert.deepEqual([json.test, json.state, json.events[0].type], [true, "failed", "test"]);
  const [first] = json.deliveries[0].tries;
  assert.deepEqual([first.status, first.error], [404, "it answered 404"]);
  const soon = await service.call("POST", `/v1/notification-rules/${rule.id}/test`);
  assert.deepEqual([soon.status, soon.json.code], [429, "rate_limited"]);
});

test("a disabled rule announces nothing, and a deleted one neither", async (t) => {
  const service = await openService(t);
  const receiver = await startReceiver(t);
  const channel = { type: "webhook", url: receiver.url };
  const disabled = await createRule(service, channel, { name: "disabled" });
  const deleted = await createRule(service, channel, { name: "deleted" });
  const path = `/v1/notification-rules/${disabled.id}`;
  assert.equal((await service.call("PATCH", path, { enabled: false })).json.enabled, false);
  assert.equal((await service.call("GET", path)).json.enabled, false);
  await service.call("DELETE", `/v1/notification-rules/${deleted.id}`);
  await createRule(service, channel, { name: "other Pods", podIds: [await runPod(service, [])] });
  await createRule(service, channel, { name: "kept" });
  await runPod(service, endsAtOnce);
  const [received] = await receiver.sent(1);
  assert.equal(JSON.parse(received!.body).data.rule.name, "kept");
  assert.equal((await service.call("GET", "/v1/notifications")).json.length, 1);
});

test("Slack and ntfy get a text, and no answer shows what is secret", async (t) => {
  const service = await openService(t);
  const receiver = await startReceiver(t);
  const webhookUrl = receiver.url.replace("/hook", "/services/T0/SECRET");
  const slack = await createRule(service, { type: "slack", webhookUrl }, { name: "a <b> & c" });
  const { host, origin } = new URL(receiver.url);
  assert.deepEqual(slack.channel, { type: "slack", host, hasSecret: true });
  const shown = await service.call("POST", `/v1/notification-rules/${slack.id}/test`);
  assert.doesNotMatch(shown.text, /SECRET/);
  const [first] = await receiver.sent(1);
  assert.deepEqual(
    JSON.parse(first!.body).text.split("UTC  ")[1],
    "This is a test of the notification rule a &lt;b&gt; &amp; c.",
  );
  const ntfy = { type: "ntfy", url: origin, topic: "gpu-alerts", token: "tk_secret" };
  const rule = await createRule(service, ntfy);
  assert.deepEqual(rule.channel, {
    type: "ntfy",
    url: origin,
    topic: "gpu-alerts",
    hasSecret: true,
  });
  await service.call("POST", `/v1/notification-rules/${rule.id}/test`);
  const [, second] = await receiver.sent(2);
  assert.equal(second!.headers.authorization, "Bearer tk_secret");
  const { topic, title } = JSON.parse(second!.body);
  assert.deepEqual(
    [topic, title],
    ["gpu-alerts", "This is a test of the notification rule On call."],
  );
  const rows = JSON.stringify((await service.call("GET", "/v1/notification-rules")).json);
  assert.doesNotMatch(rows, /SECRET|tk_secret/);
});

test("a secret does not follow a channel to another address", async (t) => {
  const service = await openService(t);
  const token = "tk_secret";
  const ntfy = { type: "ntfy", url: "https://ntfy.example.org", topic: "a" };
  const rule = await createRule(service, { ...ntfy, token });
  const path = `/v1/notification-rules/${rule.id}`;
  const change = async (channel: object) =>
    (await service.call("PATCH", path, { channel })).json.channel.hasSecret as boolean;
  assert.equal(await change({ ...ntfy, topic: "b" }), true);
  assert.equal(await change({ ...ntfy, url: "https://evil.example.org" }), false);
});

test("a rule without a secret signs with the account's", async (t) => {
  const service = await openService(t);
  const receiver = await startReceiver(t);
  const generate = { webhookSecret: "generate" };
  const { json: account } = await service.call("PATCH", "/v1/account", generate);
  const rule = await createRule(service, { type: "webhook", url: receiver.url });
  await service.call("POST", `/v1/notification-rules/${rule.id}/test`);
  const [received] = await receiver.sent(1);
  assert.equal(verified(received, account.webhookSecret).data.test, true);
});

test("a webhook to an address of the service's own network is refused when it connects", async (t) => {
  const publicUrl = { FREEHOLD_PUBLIC_URL: "https://cloud.example.org" };
  const service = await openService(t, { env: publicUrl });
  const receiver = await startReceiver(t);
  const rule = await createRule(service, { type: "webhook", url: receiver.url });
  const { json } = await service.call("POST", `/v1/notification-rules/${rule.id}/test`);
  assert.match(json.deliveries[0].tries[0].error, /127\.0\.0\.1 is a loopback address/);
  assert.equal(receiver.received.length, 0);
});

const url = "https://hooks.example.org/freehold";
const webhook = { type: "webhook", url };
const refusals = [
  [{ events: [] }, /"events"/],
  [{ events: ["pod_end"] }, /"events\[0\]" must be one of "pod_ended"/],
  [
    { channel: { type: "fax" } },
    /"channel.type" must be one of "webhook", "email", "slack", "ntfy"/,
  ],
  [{ channel: { type: "webhook" } }, /A channel of type "webhook" needs "channel.url"\./],
  [{ channel: { ...webhook, topic: "a" } }, /A channel of type "webhook" has no "channel.topic"\./],
  [{ channel: { type: "webhook", url: "ftp://a" } }, /must be an http or https URL/],
  [{ channel: { type: "webhook", url: "https://me:pw@a.b" } }, /without a user name/],
  [{ channel: { ...webhook, secret: "abc" } }, /"channel.secret" must be "whsec_"/],
  [{ channel: { type: "email", to: ["ada@example.org"] } }, /FREEHOLD_SMTP_URL/],
  [{ channel: { type: "email", to: ["Ada"] } }, /one is "Ada"/],
  [{ channel: { type: "ntfy", topic: "a b" } }, /"channel.topic" must have 1 to 64/],
  [{ endpointIds: ["none"] }, /"endpointIds" must name your endpoints; there is no "none"/],
  [{ podIds: ["none"] }, /"podIds" must name your Pods/],
  [
    { failures: { percent: 0 } },
    /"failures.percent" must be a whole number from 1 to 100, or null/,
  ],
  [{ failures: { minutes: 5 } }, /failures.minutes/],
] as const;

test("what is wrong with a rule is said in a sentence", async (t) => {
  const { call } = await openService(t);
  for (const [body, sentence] of refusals) {
    const rule = { name: "x", events: ["pod_ended"], channel: webhook, ...body };
    const { status, json } = await call("POST", "/v1/notification-rules", rule);
    assert.equal(status, 400, JSON.stringify(json));
    assert.match(json.error, sentence);
  }
  assert.deepEqual((await call("GET", "/v1/notification-rules")).json, []);
});
