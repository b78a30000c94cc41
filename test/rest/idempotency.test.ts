// Every operation that creates something honours an Idempotency-Key: a repeated request gets the first answer, secrets
// included, and creates nothing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { openapi } from "../../src/contract/openapi.ts";
import { openapiV2 } from "../../src/contract/rest-v2/openapi.ts";
import type { TestService } from "../fixtures/service/service.ts";
import { simulatedService } from "../pods/fixture.ts";

/** Operations of POST that create nothing, or nothing that a repeated request could create again. */
const CREATE_NOTHING = [
  "acceptInvitation: its token works once",
  "actOnPod",
  "addMachine: an address belongs to one machine",
  "approveDeviceLogin",
  "beginTotp: what waits is replaced",
  "cancel",
  "cancelBatch",
  "cancelJobOperation",
  "callEndpoint: it is answered by the worker",
  "createDelegation: it is not offered",
  "createPasswordReset: a link replaces the last one",
  "createQuote: it is computed",
  "denyDeviceLogin",
  "execInSandbox",
  "extendSandbox",
  "keepPod",
  "moveClock",
  "openai: it is answered by the worker",
  "pauseSchedule",
  "purgeQueue",
  "redeliver: it sends a message again",
  "redeliverBatch: it sends a message again",
  "redeliverNotification: it sends a message again",
  "resetPod",
  "restartPod",
  "resumeSchedule",
  "retry",
  "retryJob",
  "rollBackEndpoint",
  "signIn",
  "startPod",
  "stopPod",
  "testNotificationRule: it sends a message again",
  "turnFaultOn",
  "usePasswordReset: its token works once",
];

interface Parameter {
  name?: string;
  $ref?: string;
}

/** Other methods and paths of an operation have its id with a suffix. */
function postOperations(document: { paths: object }) {
  const paths = Object.entries(document.paths) as [string, { post?: Record<string, unknown> }][];
  return paths.flatMap(([path, { post }]) => {
    if (!post) return [];
    const parameters = (post.parameters ?? []) as Parameter[];
    const once = parameters.some(({ name }) => name === "Idempotency-Key");
    return [{ path, id: post.operationId as string, once }];
  });
}

const documents = [openapi(), openapiV2()].map(postOperations);

test("every operation of POST takes an Idempotency-Key, or is listed as creating nothing", () => {
  const ids = documents.flatMap((operations) =>
    operations.filter(({ once, id }) => !once && !/ByPost$/.test(id)).map(({ id }) => id),
  );
  const listed = CREATE_NOTHING.map((line) => line.split(":")[0]!);
  assert.deepEqual([...new Set(ids)].sort(), listed.sort());
});

/** The body that creates something with each operation, by path. */
async function bodies(service: TestService) {
  const create = async (path: string, body: object) => {
    const { json, status, text } = await service.call("POST", path, body);
    assert.ok(status < 300, text);
    return json.id as string;
  };
  const template = { imageName: "i", driver: "simulated", containerDiskInGb: 5, volumeInGb: 0 };
  const templateId = await create("/v1/templates", { ...template, name: "t" });
  const endpointId = await create("/v1/endpoints", { templateId, name: "e", workersMax: 0 });
  const accountId = await create("/v1/accounts", { name: "a" });
  const schedule = { endpointId, cron: "0 3 * * *", input: {} };
  const scheduleId = await create("/v1/schedules", { ...schedule, name: "s" });
  const dataCenterId = "EU-RO-1";
  const compute = { gpuTypeId: "NVIDIA A40", gpuCountPerPod: 1, podCount: 2 };
  const plan = { gpuTypeId: "NVIDIA A40", planLength: "threeMonth" };
  const publicKey = `ssh-ed25519 ${Buffer.from("0000000b7373682d6564323535313900000020".concat("11".repeat(32)), "hex").toString("base64")} k`;
  const paths = { endpointId, accountId, scheduleId };
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const bodyOf: Record<string, object> = {
    "/v1/pods": { driver: "simulated", imageName: "i", computeType: "CPU" },
    "/v1/templates": { ...template, name: "t2" },
    "/v1/endpoints": { templateId, name: "e2", workersMax: 0 },
    "/v1/networkvolumes": { name: "v", size: 10, dataCenterId },
    "/v1/s3-keys": { name: "k" },
    "/v1/containerregistryauth": { name: "r", username: "u", password: "p" },
    "/v1/secrets": { name: "s", value: "v" },
    "/v1/ssh-keys": { publicKey },
    "/v2/{endpointId}/run": { input: {} },
    "/v2/{endpointId}/runsync": { input: {} },
    "/v1/job-operations": { action: "cancel", filter: { endpointId } },
    "/v1/batches": { endpointId, items: [{ input: {} }] },
    "/v1/schedules": { ...schedule, name: "s2" },
    "/v1/schedules/{scheduleId}/run": {},
    "/v1/keys": { name: "k" },
    "/v1/accounts": { name: "b" },
    "/v1/accounts/{accountId}/credits": { amount: 5 },
    "/v1/accounts/{accountId}/keys": { name: "k" },
    "/v1/invitations": { email: "a@example.org", role: "dev" },
    "/v1/projects": { name: "p" },
    "/v1/exemptions": { label: "team=search", reason: "r" },
    "/v1/reservations": { gpuTypeId: "NVIDIA A40", until },
    "/v1/balance/credits": { amount: 5_000 },
    "/v1/budgets": { period: "day", limit: 9_000 },
    "/v1/savings-plans": plan,
    "/v1/accounts/{accountId}/savings-plans": plan,
    "/v1/notification-rules": {
      name: "n",
      events: ["pod_ended"],
      channel: { type: "webhook", url: "http://127.0.0.1:9/" },
    },
    "/v2/pods": { name: "p", templateId, cpu: { id: "cpu3g", vcpuCount: 2 } },
    "/v2/clusters": { name: "c", type: "TRAINING", templateId, compute },
    "/v2/sandboxes": { templateId },
    "/v2/serverless": {
      name: "e3",
      image: "i",
      type: "QUEUE",
      gpu: { pools: ["AMPERE_48"] },
      scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
      workers: { max: 0 },
    },
    "/v2/templates": { name: "t3", image: "i" },
    "/v2/network-volumes": { name: "v2", size: 10, dataCenter: dataCenterId },
    "/v2/registries": { name: "r2", username: "u", password: "p" },
    "/v2/account/secrets": { name: "s2", value: "v" },
  };
  return { bodyOf, paths };
}

/** What of an answer does not change while what was created lives on. */
function lasting({ id, jobId, n, key, secret, token, balance }: Record<string, unknown>) {
  return { id, jobId, n, key, secret, token, balance };
}

test("a repeated request with an Idempotency-Key gets the first answer", async (t) => {
  const service = await simulatedService(t);
  const { bodyOf, paths } = await bodies(service);
  const operations = documents.flat().filter(({ once }) => once);
  assert.deepEqual(operations.map(({ path }) => path).sort(), Object.keys(bodyOf).sort());
  for (const { path, id } of operations) {
    const address = path.replace(/\{(\w+)\}/g, (_, name) => paths[name as keyof typeof paths]);
    const wait = id === "runsync" ? "?wait=1000" : "";
    const headers = { "idempotency-key": `once ${path}` };
    const send = () => service.call("POST", address + wait, bodyOf[path], headers);
    const [first, beside] = await Promise.all([send(), send()]);
    const later = await send();
    assert.ok(first.status < 300, `${path}: ${first.text}`);
    for (const { json } of [beside, later])
      assert.deepEqual(lasting(json), lasting(first.json), path);
    const secrets = ["key", "secret", "token"].filter(
      (name) => typeof first.json[name] === "string",
    );
    for (const name of secrets) assert.ok(first.json[name].length > 10, `${path} ${name}`);
    if (id === "runSchedule") continue; // it has no body
    const other = await service.call(
      "POST",
      `${address}${wait || "?"}`,
      { ...bodyOf[path], x: 1 },
      headers,
    );
    assert.ok(other.status >= 400, path);
  }
  const stored = await service.call("GET", "/v1/keys");
  const names = stored.json.map(({ name }: { name: string }) => name);
  assert.equal(names.filter((name: string) => name === "k").length, 1);
});

test("a secret is repeated to the API key that created it, and to no other", async (t) => {
  const service = await simulatedService(t);
  const narrow = { name: "narrow", permissions: { rest: "write", queue: "none", graphql: "none" } };
  const { json: other } = await service.call("POST", "/v1/keys", narrow);
  for (const [path, body] of [
    ["/v1/keys", { name: "ci" }],
    ["/v1/s3-keys", { name: "ci" }],
  ] as const) {
    const send = (headers = {}) =>
      service.call("POST", path, body, { "idempotency-key": `ci ${path}`, ...headers });
    const first = await send();
    assert.ok(first.status < 300, first.text);
    assert.deepEqual((await send()).json, first.json);
    const repeated = await send({ authorization: `Bearer ${other.key}` });
    assert.deepEqual([repeated.status, repeated.json.code], [409, "idempotency_conflict"]);
  }
});

test("every mutation that creates something honours an Idempotency-Key", async (t) => {
  const service = await simulatedService(t);
  const post = async (mutation: string, key: string | null) => {
    const headers: Record<string, string> = key === null ? {} : { "idempotency-key": key };
    const query = `mutation { ${mutation} }`;
    const { json } = await service.call("POST", "/graphql", { query }, headers);
    assert.ok(json.data && !json.errors, `${mutation}: ${JSON.stringify(json)}`);
    return json.data;
  };
  const app = await post('createFlashApp(input: {name: "f"}) { id }', "app");
  assert.deepEqual(await post('createFlashApp(input: {name: "f"}) { id }', "app"), app);
  const mutations = [
    `createFlashEnvironment(input: {flashAppId: "${app.createFlashApp.id}", name: "d"}) { id }`,
    'apiKeyCreate(input: {name: "k"}) { key apiKey { id } }',
    'secretCreate(input: {name: "s", value: "v"}) { id }',
    'saveRegistryAuth(input: {name: "r", username: "u", password: "p"}) { id }',
    'saveTemplate(input: {name: "t", imageName: "i"}) { id }',
    'createNetworkVolume(input: {name: "v", size: 10, dataCenterId: "EU-RO-1"}) { id }',
  ];
  for (const mutation of mutations) {
    const first = await post(mutation, mutation.slice(0, 20));
    assert.deepEqual(await post(mutation, mutation.slice(0, 20)), first, mutation);
  }
});
