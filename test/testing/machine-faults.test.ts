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

const pod = { name: "struck", imageName: "freehold/test", driver: "simulated" };

const gpuPod = { ...pod, gpuTypeIds: ["NVIDIA A40"] };
const gpus = { FREEHOLD_GPUS: '{"NVIDIA A40": 1}' };
const longJob = {
  driver: "simulated" as const,
  dockerStartCmd: ["simulate", "--job-ms", "600000"],
};

test("gpu-falls-off: a Pod says that its GPU is lost, no other gets it, and it starts once the GPU is back", async (t) => {
  const service = await alone(t, { ...gpus, FREEHOLD_CLOCK: "virtual" });
  const { json } = await service.call("POST", "/v1/pods", gpuPod);
  const get = async () => (await service.call("GET", `/v1/pods/${json.id}`)).json;
  await until(async () => (await get()).publicIp);
  await turnOn(service, "gpu-falls-off", { match: json.id });
  await until(async () => (await hitsOf(service, "gpu-falls-off")) === 1);
  await service.call("POST", "/v1/clock", { advance: "5s" });
  const why = await until(async () => {
    const found = (await service.call("GET", `/v1/why/${json.id}`)).json;
    return found.code === "pod_start_failing" ? found : null;
  });
  assert.match(why.sentence, /its GPU \d+ has fallen off the bus \(Xid 79\)/);
  assert.equal((await get()).publicIp, null);
  await service.call("DELETE", `/v1/pods/${json.id}`);
  const refused = await service.call("POST", "/v1/pods", gpuPod);
  assert.deepEqual([refused.status, refused.json.code], [500, "no_capacity"]);
  await turnOff(service, "gpu-falls-off");
  const again = await until(async () => {
    const created = await service.call("POST", "/v1/pods", gpuPod);
    return created.status === 201 ? created.json : null;
  });
  await until(async () => (await service.call("GET", `/v1/pods/${again.id}`)).json.publicIp);
});

test("gpu-falls-off: runpod-sdk sees its job go back to the queue, and another GPU run it", async (t) => {
  const service = await alone(t, { FREEHOLD_GPUS: '{"NVIDIA A40": 2}' });
  witness(t, service, "npm runpod-sdk 1.1.2");
  const spec = { gpuTypeIds: ["NVIDIA A40"], workersMin: 0, workersMax: 1 };
  const id = await service.makeEndpoint({ template: longJob, spec });
  const endpoint = runpodSdk(service.key, { baseUrl: `${service.origin}/v2` }).endpoint(id)!;
  const job = await endpoint.run({ input: { n: 1 } });
  const status = async () =>
    (await endpoint.status(job.id)) as { status: string; workerId?: string };
  await until(async () => (await status()).status === "IN_PROGRESS");
  const { workerId } = await status();
  await turnOn(service, "gpu-falls-off", { match: workerId });
  await until(async () => {
    const now = await status();
    return now.status === "IN_PROGRESS" && now.workerId !== workerId;
  });
  const workers = (await service.call("GET", `/v1/endpoints/${id}/workers?ended=5`)).json;
  const ended = workers.find((each: { id: string }) => each.id === workerId);
  assert.match(ended.unhealthy, /its GPU \d+ has fallen off the bus/);
});

test("machine-lost: a job goes back to the queue and a Pod is unreachable, until the machine is back", async (t) => {
  const protocol = { heartbeatMs: 100, machineLostMs: 1_000 };
  const service = await alone(t, {}, { protocol });
  witness(t, service, "npm runpod-sdk 1.1.2");
  const spec = { workersMin: 0, workersMax: 1 };
  const id = await service.makeEndpoint({ template: longJob, spec });
  const endpoint = runpodSdk(service.key, { baseUrl: `${service.origin}/v2` }).endpoint(id)!;
  const job = await endpoint.run({ input: { n: 1 } });
  const status = async () => (await endpoint.status(job.id)).status;
  const { json } = await service.call("POST", "/v1/pods", pod);
  const get = async () => (await service.call("GET", `/v1/pods/${json.id}`)).json;
  await until(async () => (await status()) === "IN_PROGRESS" && (await get()).publicIp);
  await turnOn(service, "machine-lost");
  await until(async () => (await status()) === "IN_QUEUE");
  const lost = await until(async () => {
    const found = await get();
    return /^Machine lost: /.test(found.lastStatusChange) ? found : null;
  });
  assert.deepEqual([lost.desiredStatus, lost.publicIp], ["RUNNING", null]);
  await until(async () => {
    const [machine] = (await service.call("GET", "/v1/machines")).json;
    return machine.lostAt && !machine.online;
  });
  const throttled = async () => (await endpoint.health()).workers.throttled;
  await until(async () => (await throttled()) === 1);
  const refused = await service.call("POST", "/v1/pods", pod);
  assert.deepEqual([refused.status, refused.json.code], [500, "no_capacity"]);
  await turnOff(service, "machine-lost");
  await until(async () => (await status()) === "IN_PROGRESS" && (await get()).publicIp);
  assert.equal(await throttled(), 0);
});

test("machine-lost is refused under a virtual clock", async (t) => {
  const service = await alone(t, { FREEHOLD_CLOCK: "virtual" });
  const refused = await service.call("POST", "/v1/faults", { name: "machine-lost" });
  assert.equal(refused.status, 400);
  assert.match(refused.json.error, /machine-lost needs the system's clock/);
});

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
