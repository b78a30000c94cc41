// Tests of the events of an account, each from what causes it.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { upsertReplica } from "../../src/store/replica/replica.ts";
import { markLost } from "../../src/transactions/machine/lose.ts";
import { enterReplica } from "../../src/transactions/replica/membership.ts";
import { certificateFolder, makeCertificate } from "../fixtures/service/certificate.ts";
import {
  type ServiceOptions,
  startService,
  type TestService,
} from "../fixtures/service/service.ts";
import { startReceiver } from "../webhook/receiver.ts";

const protocol = { notificationGatherMs: 0, notificationIntervalMs: 0 };

interface SentEvent {
  type: string;
  resolved: boolean;
  summary: string;
  resource: { type: string; id: string };
  details: Record<string, unknown>;
}

async function open(
  t: TestContext,
  events: string[],
  options: object = {},
  more: ServiceOptions = {},
) {
  const service = await startService(t, { protocol: { ...protocol, ...options }, ...more });
  const receiver = await startReceiver(t);
  const channel = { type: "webhook", url: receiver.url };
  const rule = { name: "On call", events, channel };
  const { status, text } = await service.call("POST", "/v1/notification-rules", rule);
  assert.equal(status, 201, text);
  const event = async (n: number): Promise<SentEvent> => {
    for (let messages = 1; ; messages++) {
      const received = await receiver.sent(messages);
      const all = received.flatMap(({ body }) => JSON.parse(body).data.events);
      if (all.length >= n) return all[n - 1];
    }
  };
  return { service, event };
}

test("a sign-in and a new key are announced with the caller's address", async (t) => {
  const { service, event } = await open(t, ["sign_in", "key_created"]);
  const { json: key } = await service.call("POST", "/v1/keys", { name: "ci" });
  const created = await event(1);
  assert.deepEqual([created.type, created.resource.id], ["key_created", key.id]);
  assert.match(String(created.details.address), /127\.0\.0\.1$/);
  const agent = { "user-agent": "Mozilla/5.0 (Test)" };
  const { json: session } = await service.call("POST", "/v1/session", { key: key.key }, agent);
  const signedIn = await event(2);
  assert.deepEqual([signedIn.type, signedIn.resource.id], ["sign_in", session.sessionId]);
  assert.equal(signedIn.details.keyId, key.id);
  assert.equal(signedIn.details.userAgent, "Mozilla/5.0 (Test)");
  assert.match(signedIn.summary, /with the key ci \(\w+\) from .*127\.0\.0\.1\.$/);
  assert.doesNotMatch(JSON.stringify([created, signedIn]), new RegExp(key.key));
});

async function runPod(service: TestService) {
  const gpu = { gpuTypeIds: ["NVIDIA A40"], gpuCount: 1, computeType: "GPU" };
  const body = { ...gpu, name: "trainer", imageName: "i", driver: "simulated" };
  const { status, json, text } = await service.call("POST", "/v1/pods", body);
  assert.equal(status, 201, text);
  return json.id as string;
}

test("a spent budget is announced, and so is the Pod that it stops", async (t) => {
  const { service, event } = await open(t, ["pod_ended", "budget_spent"]);
  const podId = await runPod(service);
  const limit = { name: "tests", period: "month", limit: 0.000001 };
  const { json: budget } = await service.call("POST", "/v1/budgets", limit);
  const found = [await event(1), await event(2)];
  const byType = new Map(found.map((each) => [each.type, each]));
  assert.equal(byType.get("budget_spent")!.resource.id, budget.id);
  assert.match(byType.get("budget_spent")!.summary, /^The budget \w+ \(tests\) of .* is spent;/);
  const ended = byType.get("pod_ended")!;
  assert.deepEqual([ended.resource.id, ended.details.cause], [podId, "budget_spent"]);
});

test("low credits are announced, and their end when there are more", async (t) => {
  const { service, event } = await open(t, ["balance_low"]);
  await service.call("POST", "/v1/balance/credits", { amount: 1 });
  await runPod(service);
  const low = await event(1);
  assert.deepEqual([low.type, low.resolved], ["balance_low", false]);
  assert.match(
    low.summary,
    /^The account's credits last until 2\d{3}-.* at the current spending\.$/,
  );
  await service.call("POST", "/v1/balance/credits", { amount: 10_000 });
  assert.equal((await event(2)).resolved, true);
});

test("a machine that falls silent is announced, and so is its return", async (t) => {
  const { service, event } = await open(t, ["machine_offline"]);
  const { store, replica } = service.service;
  const now = Date.now();
  const other = { ...replica, id: "other", machine: "rack-2", address: "" };
  await store.write(upsertReplica, other, now - 40_000);
  await store.write(markLost, now - 35_000, now);
  const offline = await event(1);
  assert.deepEqual([offline.resource.id, offline.resolved], ["rack-2", false]);
  await store.write(enterReplica, other, now);
  const online = await event(2);
  assert.deepEqual([online.summary, online.resolved], ["Machine rack-2 is online again.", true]);
});

test("a TLS certificate that ends soon is announced, and its end is a metric", async (t) => {
  const { service, event } = await open(t, ["certificate_ending"], {}, { replicas: null });
  assert.doesNotMatch((await service.call("GET", "/metrics")).text, /certificate_expires/);
  await service.stop();
  const ending = makeCertificate({ names: ["127.0.0.1", "gpu.lan"], days: 5 });
  const env = { FREEHOLD_TLS: certificateFolder(t, ending).setting };
  const { dataFolder } = service;
  const again = await startService(t, { protocol, env, dataFolder, replicas: null });
  const { type, summary, details, resource } = await event(1);
  assert.deepEqual([type, details.names], ["certificate_ending", "127.0.0.1, gpu.lan"]);
  assert.match(summary, /^The TLS certificate of 127\.0\.0\.1 ends at \d{4}-.*Z; renew it\.$/);
  assert.match(resource.id, /^[0-9a-f]{64}$/);
  const { text } = await again.call("GET", "/metrics");
  const [, endsAt] = /^freehold_tls_certificate_expires_at_seconds (\d+)$/m.exec(text) ?? [];
  assert.equal(Number(endsAt) * 1_000, Date.parse(String(details.endsAt)));
});

test("machine_offline is the operator's event", async (t) => {
  const { service } = await open(t, ["machine_offline"]);
  const { json: other } = await service.call("POST", "/v1/accounts", { name: "other" });
  const channel = { type: "ntfy", topic: "a" };
  const rule = { name: "x", events: ["machine_offline"], channel };
  const headers = { authorization: `Bearer ${other.key}` };
  const refused = await service.call("POST", "/v1/notification-rules", rule, headers);
  assert.deepEqual([refused.status, refused.json.code], [403, "forbidden"]);
});
