// Faults of machines that a test switches on: what a client sees of each.

import assert from "node:assert/strict";
import { test } from "node:test";
import runpodSdk from "runpod-sdk";
import { Webhook } from "standardwebhooks";
import { witness } from "../fidelity/witness.ts";
import { until } from "../fixtures/until.ts";
import { jsClient, startS3 } from "../s3/fixture.ts";
import { startEchoWorker } from "../sdk/echo-worker.ts";
import { startReceiver } from "../webhook/receiver.ts";
import { alone, hitsOf, turnOff, turnOn } from "./switch-faults.ts";

const pod = { name: "struck", imageName: "freehold/test", driver: "fake" };

test("disk-full: runpod-sdk sees its job refused, and the job before is not lost", async (t) => {
  const service = await alone(t);
  witness(t, service, "npm runpod-sdk 1.1.2");
  const id = await service.makeEndpoint();
  const endpoint = runpodSdk(service.key, { baseUrl: `${service.origin}/v2` }).endpoint(id)!;
  const before = await endpoint.run({ input: { n: 1 } });
  await turnOn(service, "disk-full");
  await assert.rejects(endpoint.run({ input: { n: 2 } }), /507/);
  const refused = await service.call("POST", `/v2/${id}/runsync`, { input: {} });
  assert.deepEqual([refused.status, refused.json.code], [507, "disk_full"]);
  await startEchoWorker(service, id);
  await until(async () => (await endpoint.status(before.id)).status === "COMPLETED");
  await turnOff(service, "disk-full");
  assert.equal((await endpoint.run({ input: { n: 2 } })).status, "IN_QUEUE");
});

test("disk-full: a Pod says that its machine's disk is full, and starts once there is room", async (t) => {
  const service = await alone(t, { FREEHOLD_CLOCK: "virtual" });
  await turnOn(service, "disk-full");
  const { json } = await service.call("POST", "/v1/pods", pod);
  const why = async () => (await service.call("GET", `/v1/why/${json.id}`)).json;
  await until(async () => (await why()).evidence.cause === "disk_full");
  assert.match((await why()).sentence, /no space left on the machine's disk/);
  await turnOff(service, "disk-full");
  await service.call("POST", "/v1/clock", { advance: "10m" });
  await until(async () => (await service.call("GET", `/v1/pods/${json.id}`)).json.publicIp);
});

test("disk-full: an S3 client's upload fails, and the object before it stays", async (t) => {
  const service = await startS3(t);
  const client = await jsClient(t, service);
  if (!client) return;
  await client.send("PutObject", { Key: "weights.bin", Body: "first" });
  await turnOn(service, "disk-full");
  const failure = await client.failure("PutObject", { Key: "weights.bin", Body: "second" });
  assert.deepEqual(failure, [507, "QuotaExceeded"]);
  const { Body } = await client.send("GetObject", { Key: "weights.bin" });
  assert.equal(await Body.transformToString(), "first");
  await turnOff(service, "disk-full");
  await client.send("PutObject", { Key: "weights.bin", Body: "second" });
});

test("clock-skew: the AWS SDK's requests are refused as too skewed", async (t) => {
  const service = await startS3(t);
  const client = await jsClient(t, service, { maxAttempts: 3 });
  if (!client) return;
  await turnOn(service, "clock-skew", { match: `PUT /${service.bucket}` });
  const put = { Key: "result.json", Body: "{}" };
  assert.deepEqual(await client.failure("PutObject", put), [403, "RequestTimeTooSkewed"]);
  assert.deepEqual(await client.keys(), []);
  await turnOff(service, "clock-skew");
  await client.send("PutObject", put);
  assert.deepEqual(await client.keys(), ["result.json"]);
});

test("clock-skew: standardwebhooks refuses a webhook from the future", async (t) => {
  const service = await alone(t);
  const { json: account } = await service.call("PATCH", "/v1/account", {
    webhookSecret: "generate",
  });
  const id = await service.makeEndpoint();
  const receiver = await startReceiver(t);
  await turnOn(service, "clock-skew", { match: receiver.url });
  await startEchoWorker(service, id);
  const run = () => service.call("POST", `/v2/${id}/run`, { input: {}, webhook: receiver.url });
  const verify = ({ body, headers }: (typeof receiver.received)[number]) =>
    new Webhook(account.webhookSecret).verify(body, headers as Record<string, string>);
  await run();
  const [skewed] = await receiver.sent(1);
  assert.throws(() => verify(skewed!), /timestamp too new/i);
  assert.equal(await hitsOf(service, "clock-skew"), 1);
  await turnOff(service, "clock-skew");
  await run();
  const [, right] = await receiver.sent(2);
  verify(right!);
});
