// Tests of webhooks, from the end of a job to its receiver, and of the recorded tries.

import assert from "node:assert/strict";
import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { randomIds } from "../../src/base/ids.ts";
import { replaceWebhookSecret } from "../../src/flows/account/webhook-secret.ts";
import { firstAccount } from "../../src/store/account/account.ts";
import { deliveriesOf } from "../../src/store/delivery/delivery.ts";
import { findJob } from "../../src/store/job/find.ts";
import {
  type ServiceOptions,
  startService,
  type TestService,
  type TestWorker,
} from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { type Received, startReceiver } from "./receiver.ts";

const quick = { webhookBackoffMs: [10, 20] };

async function open(t: TestContext, options: ServiceOptions = {}) {
  const service = await startService(t, {
    ...options,
    protocol: { ...quick, ...options.protocol },
  });
  const endpoint = await service.makeEndpoint();
  return { service, endpoint, worker: await service.makeWorker(endpoint) };
}

/** Submits a job with a webhook and lets the worker end it. */
async function runJob(
  { service, endpoint, worker }: { service: TestService; endpoint: string; worker: TestWorker },
  webhook: string,
  done = '{"output":{"n":1}}',
  input = '{"big":9007199254740993}',
): Promise<string> {
  const s3Config = '{"accessId":"AKIA-VISIBLE","accessSecret":"not-for-everybody"}';
  const body = `{"input":${input},"webhook":"${webhook}","s3Config":${s3Config}}`;
  const run = await service.call("POST", `/v2/${endpoint}/run`, body);
  assert.equal(run.status, 200, run.text);
  await worker.call("job-take");
  await worker.call(`job-done/${run.json.id}`, "", done);
  return run.json.id;
}

/** The deliveries of a job once none is pending. */
async function settled(service: TestService, jobId: string) {
  const { store } = service.service;
  const job = await store.read(findJob, jobId, 0);
  return until(async () => {
    const deliveries = await store.read(deliveriesOf, "job", job!.seq);
    return deliveries.every(({ state }) => state !== "waiting") ? deliveries : null;
  });
}

const statuses = (log: { status: number | null }[]) => log.map(({ status }) => status);

test("a receiver gets the job as clients read it, with input and webhook", async (t) => {
  const fixture = await open(t);
  const receiver = await startReceiver(t);
  const id = await runJob(fixture, receiver.url);
  const [first] = await receiver.sent(1);
  const { service, endpoint, worker } = fixture;
  const status = await service.call("GET", `/v2/${endpoint}/status/${id}`);
  assert.deepEqual(JSON.parse(first!.body), {
    ...status.json,
    input: { big: 9007199254740992 },
    webhook: receiver.url,
  });
  assert.ok(first!.body.includes('"input":{"big":9007199254740993}'));
  assert.equal(status.json.workerId, worker.id);
  assert.equal(first!.headers["content-type"], "application/json");
  assert.equal(first!.headers["webhook-signature"], undefined);
  assert.doesNotMatch(JSON.stringify(first), /AKIA-VISIBLE|not-for-everybody|s3Config/);
  const [delivery] = await settled(service, id);
  assert.equal(delivery!.state, "delivered");
  assert.deepEqual(statuses(delivery!.log), [200]);
});

test("after 500, 500 and 200 there are three recorded tries with one id, and the job is unchanged", async (t) => {
  const fixture = await open(t);
  const receiver = await startReceiver(t, [500, 500, 200]);
  const id = await runJob(fixture, receiver.url);
  const received = await receiver.sent(3);
  const [delivery] = await settled(fixture.service, id);
  assert.equal(delivery!.state, "delivered");
  assert.deepEqual(statuses(delivery!.log), [500, 500, 200]);
  assert.equal(delivery!.log[0]!.error, "it answered 500");
  assert.equal(delivery!.log[2]!.error, null);
  assert.equal(new Set(received.map(({ headers }) => headers["webhook-id"])).size, 1);
  assert.equal(new Set(received.map(({ body }) => body)).size, 1);
  const status = await fixture.service.call("GET", `/v2/${fixture.endpoint}/status/${id}`);
  assert.equal(status.json.status, "COMPLETED");
});

test("a delivery that always fails is given up after the third try", async (t) => {
  const fixture = await open(t);
  const receiver = await startReceiver(t, [404]);
  const id = await runJob(fixture, receiver.url);
  const [delivery] = await settled(fixture.service, id);
  assert.equal(delivery!.state, "failed");
  assert.deepEqual(statuses(delivery!.log), [404, 404, 404]);
  assert.equal(receiver.received.length, 3);
});

test("a delivery to a receiver that never answers is given up", async (t) => {
  const fixture = await open(t, { protocol: { webhookTimeoutMs: 80 } });
  const silent = await startReceiver(t, [null]);
  const [late] = await settled(fixture.service, await runJob(fixture, silent.url));
  assert.deepEqual(
    late!.log.map(({ error }) => error),
    Array(3).fill("no answer within 0.08 s"),
  );
});

test("a redirect is not followed", async (t) => {
  const fixture = await open(t);
  const moved = await startReceiver(t, [301]);
  const [delivery] = await settled(fixture.service, await runJob(fixture, moved.url));
  assert.deepEqual(statuses(delivery!.log), [301, 301, 301]);
  assert.match(delivery!.log[0]!.error!, /redirects are not followed/);
  assert.equal(moved.received.length, 3);
});

test("every end of a job calls its webhook", async (t) => {
  const { service, endpoint, worker } = await open(t);
  const receiver = await startReceiver(t);
  const submit = async (policy = {}) => {
    const body = { input: {}, webhook: receiver.url, policy };
    return (await service.call("POST", `/v2/${endpoint}/run`, body)).json.id as string;
  };
  const failed = await submit();
  await worker.call("job-take");
  await worker.call(`job-done/${failed}`, "", '{"error":"no such file"}');
  const cancelled = await submit();
  await service.call("POST", `/v2/${endpoint}/cancel/${cancelled}`);
  const purged = await submit();
  await service.call("POST", `/v2/${endpoint}/purge-queue`);
  const expired = await submit();
  await service.call("GET", `/v2/${endpoint}/status/${expired}?ttl=1000`);
  const bodies = (await receiver.sent(4)).map(({ body }) => JSON.parse(body));
  const byId = new Map(bodies.map((job) => [job.id, [job.status, job.error]]));
  assert.deepEqual(byId.get(failed), ["FAILED", "no such file"]);
  assert.deepEqual(byId.get(cancelled), ["CANCELLED", "cancelled by a client"]);
  assert.deepEqual(byId.get(purged), ["CANCELLED", "removed by purge-queue"]);
  assert.equal(byId.get(expired)![0], "TIMED_OUT");
});

/** Verifies as the Standard Webhooks specification describes it, without Freehold's code. */
function verified({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const wanted = createHmac("sha256", key).update(content, "utf8").digest();
  return String(headers["webhook-signature"])
    .split(" ")
    .map((each) => each.split(","))
    .some(([version, signature]) => {
      const digest = Buffer.from(signature ?? "", "base64");
      return version === "v1" && digest.length === 32 && timingSafeEqual(digest, wanted);
    });
}

/** The function from docs/webhooks.md. */
async function verifyOfDocs(): Promise<(...args: [object, string, string]) => boolean> {
  const page = readFileSync(new URL("../../docs/webhooks.md", import.meta.url), "utf8");
  const [, code] = /```js\n(.*?)```/s.exec(page)!;
  const text = encodeURIComponent(`${code}\nexport { verify };`);
  return (await import(`data:text/javascript,${text}`)).verify;
}

test("a large output arrives complete, signed and with its length", async (t) => {
  const fixture = await open(t);
  const { store } = fixture.service.service;
  const account = await store.read(firstAccount);
  const secret = await replaceWebhookSecret({ store, ids: randomIds }, account!.id, null);
  const receiver = await startReceiver(t);
  const output = JSON.stringify("ä".repeat(1_500_000));
  const input = `{"text":${JSON.stringify("😀".repeat(300_000))}}`;
  await runJob(fixture, receiver.url, `{"output":${output}}`, input);
  await receiver.sent(1);
  await runJob(fixture, receiver.url);
  const [large, small] = await receiver.sent(2);
  assert.ok(large!.body.includes(`"output":${output}`) && large!.body.includes(`"input":${input}`));
  assert.equal(Number(large!.headers["content-length"]), Buffer.byteLength(large!.body));
  const age = Date.now() / 1_000 - Number(large!.headers["webhook-timestamp"]);
  assert.ok(age >= 0 && age < 300, `the timestamp is ${age} s old`);
  const verify = await verifyOfDocs();
  for (const each of [large!, small!]) {
    assert.ok(verified(each, secret));
    assert.ok(verify(each.headers, each.body, secret));
    assert.ok(!verify(each.headers, `${each.body} `, secret));
    assert.ok(!verified({ ...each, body: `${each.body} ` }, secret));
    assert.ok(!verified(each, randomIds.secret("whsec_")));
  }
});

test("a slow receiver does not delay other endpoints", async (t) => {
  const fixture = await open(t, { protocol: { webhookTimeoutMs: 60_000 } });
  const { service } = fixture;
  const slow = await startReceiver(t, [null]);
  const bodies = Array.from({ length: 40 }, () => ({ input: {}, webhook: slow.url }));
  for (const body of bodies) await service.call("POST", `/v2/${fixture.endpoint}/run`, body);
  await service.call("POST", `/v2/${fixture.endpoint}/purge-queue`);
  await slow.sent(16);
  const other = await service.makeEndpoint();
  const quickOne = await startReceiver(t);
  const worker = await service.makeWorker(other);
  const id = await runJob({ service, endpoint: other, worker }, quickOne.url);
  await quickOne.sent(1);
  assert.equal((await settled(service, id))[0]!.state, "delivered");
  assert.equal(slow.received.length, 16);
});

test("a delivery in flight when the service stops is sent again under its id", async (t) => {
  const fixture = await open(t);
  const receiver = await startReceiver(t, [null, 200]);
  const id = await runJob(fixture, receiver.url);
  await receiver.sent(1);
  await fixture.service.stop();
  const { dataFolder } = fixture.service;
  const again = await startService(t, { dataFolder, protocol: quick });
  const [before, after] = await receiver.sent(2);
  assert.equal(after!.headers["webhook-id"], before!.headers["webhook-id"]);
  const [delivery] = await settled(again, id);
  assert.deepEqual(statuses(delivery!.log), [200]);
});

test("a retried job is delivered once, with its final result", async (t) => {
  const fixture = await open(t, { protocol: { webhookBackoffMs: [1_000, 1_000] } });
  const { service, endpoint, worker } = fixture;
  const receiver = await startReceiver(t, [500, 200]);
  const id = await runJob(fixture, receiver.url, '{"error":"first"}');
  await receiver.sent(1);
  await service.call("POST", `/v2/${endpoint}/retry/${id}`);
  await worker.call("job-take");
  await worker.call(`job-done/${id}`, "", '{"output":"second"}');
  const [first, second] = await settled(service, id);
  assert.equal(JSON.parse(receiver.received[1]!.body).output, "second");
  assert.equal(receiver.received.length, 2);
  assert.deepEqual([first!.state, second!.state], ["failed", "delivered"]);
  assert.match(first!.log[1]!.error!, /retried/);
});
