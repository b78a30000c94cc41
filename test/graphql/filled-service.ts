// A service in which as many facts of the GraphQL schema as possible are present.

import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { MACHINE, simulatedService } from "../pods/fixture.ts";
import { ask } from "./ask.ts";

const labels = { a: "b" };

export async function fillService(t: TestContext): Promise<TestService> {
  const declared = {
    dataCenterId: "EU-RO-1",
    cloudType: "SECURE",
    cudaVersion: "12.4",
    supportPublicIp: true,
    downloadMbps: 900,
    uploadMbps: 800,
    diskMBps: 2_000,
  };
  const service = await simulatedService(t, {
    env: {
      FREEHOLD_MACHINE: JSON.stringify({ ...MACHINE, ...declared }),
      FREEHOLD_GPUS: '{"NVIDIA A40": 8}',
    },
    protocol: { measureMs: 50 },
  });
  const make = (path: string, body: object) => post(service, path, body);
  const login = { name: "r", username: "u", password: "p", labels };
  const auth = await make("/v1/containerregistryauth", login);
  await make("/v1/secrets", { name: "s", value: "v", description: "d", labels });
  const volume = await make("/v1/networkvolumes", {
    name: "v",
    labels,
    size: 1,
    dataCenterId: "EU-RO-1",
  });
  const template = await ask(service, SAVE_TEMPLATE, { auth: auth.id });
  const pod = { driver: "simulated", imageName: "i" };
  const onGpu = { ...pod, gpuTypeIds: ["NVIDIA A40"] };
  const busy = { dockerStartCmd: ["simulate", "--cpu-percent", "50"] };
  const gpu = await make("/v1/pods", { ...onGpu, ...busy, templateId: template.saveTemplate.id });
  await make("/v1/pods", { ...onGpu, networkVolumeId: volume.id, interruptible: true });
  await make("/v1/pods", { ...pod, computeType: "CPU", locked: true, labels });
  await make("/v1/savings-plans", {
    gpuTypeId: "NVIDIA A40",
    gpuCount: 1,
    podId: gpu.id,
    planLength: "threeMonth",
  });
  const endpoint = await makeEndpoints(service, volume.id);
  await setUpAccount(service, endpoint);
  await until(async () => showsAll((await ask(service, GROWING)).myself));
  return service;
}

/** What begins after the calls that asked for it: work of containers, their use, and the figures of a minute. */
const GROWING = `{ myself {
  pods { latestTelemetry { cpuUtilization } runtime { uptimeInSeconds container { cpuPercent } } }
  endpoints { webhookRequests { time } workerState { idle } pods { runtime { uptimeInSeconds } } }
} }`;

interface Growing {
  pods: {
    latestTelemetry: { cpuUtilization: number } | null;
    runtime: { uptimeInSeconds: number; container: { cpuPercent: number } | null } | null;
  }[];
  endpoints: { webhookRequests: unknown[]; workerState: { idle: number }[] }[];
}

const showsAll = ({ pods, endpoints }: Growing): boolean =>
  pods.every(({ runtime }) => runtime !== null && runtime.uptimeInSeconds > 0) &&
  pods.some(({ runtime }) => runtime!.container!.cpuPercent > 0) &&
  pods.some(({ latestTelemetry }) => latestTelemetry!.cpuUtilization > 0) &&
  endpoints.some(({ webhookRequests }) => webhookRequests.length > 0) &&
  // A worker of an endpoint that was changed is replaced, and another one stays.
  endpoints.filter(({ workerState: [now] }) => now!.idle > 0).length === 2;

async function post(service: TestService, path: string, body: object) {
  const answer = await service.call("POST", path, body);
  assert.ok(answer.status < 300, `${path}: ${answer.text}`);
  return answer.json;
}

/** Returns an endpoint with a worker on a GPU and a webhook that was called. */
async function makeEndpoints(service: TestService, volumeId: string): Promise<string> {
  const worker = { driver: "simulated" as const, dockerStartCmd: ["simulate", "--echo"] };
  const spec = {
    workersMin: 1,
    workersMax: 1,
    gpuTypeIds: ["NVIDIA A40"],
    networkVolumeIds: [volumeId],
  };
  const endpoint = await service.makeEndpoint({ template: worker, spec });
  const cpu = { computeType: "CPU" as const, cpuFlavorIds: ["cpu5c"] };
  await service.makeEndpoint({ template: worker, spec: { workersMin: 1, workersMax: 1, ...cpu } });
  await ask(service, SAVE_ENDPOINT);
  await service.call("PATCH", `/v1/endpoints/${endpoint}`, {
    labels,
    allowedCudaVersions: ["12.4"],
    minCudaVersion: "12.4",
    dataCenterIds: ["EU-RO-1"],
    resultRetentionMs: 60_000,
    failureRetentionMs: 60_000,
  });
  const job = { input: {}, webhook: `${service.origin}/nowhere` };
  await service.call("POST", `/v2/${endpoint}/runsync`, job);
  return endpoint;
}

async function setUpAccount(service: TestService, endpoint: string): Promise<void> {
  const make = (path: string, body: object) => post(service, path, body);
  await make("/v1/ssh-keys", { name: "k", publicKey: PUBLIC_KEY });
  const { createFlashApp: app } = await ask(
    service,
    'mutation { createFlashApp(input: { name: "f" }) { id } }',
  );
  await ask(
    service,
    `mutation { createFlashEnvironment(input: { flashAppId: "${app.id}", name: "dev" }) { id } }`,
  );
  const restricted = { name: "r", labels: { a: "b" }, permissions: { endpoints: [endpoint] } };
  const { id: keyId } = await make("/v1/keys", restricted);
  await service.call("PATCH", `/v1/keys/${keyId}`, { disabled: true });
  const [machine] = (await service.call("GET", "/v1/machines")).json;
  await service.call("PATCH", `/v1/machines/${machine.id}`, {
    maintenanceStart: "2099-01-01T00:00:00Z",
    maintenanceEnd: "2099-01-02T00:00:00Z",
    maintenanceNote: "new disks",
  });
}

const PUBLIC_KEY =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl a@b";

const SAVE_ENDPOINT = `mutation { saveEndpoint(input: { name: "inline", workersMax: 0, modelName: "o/n",
  template: { imageName: "i", env: [{key: "A", value: "1"}], containerDiskInGb: 1 } }) { id } }`;

const SAVE_TEMPLATE = `mutation ($auth: String) { saveTemplate(input: { name: "t", imageName: "i",
  labels: [{key: "a", value: "b"}],
  dockerArgs: "a b", env: [{key: "A", value: "1"}], containerDiskInGb: 1, volumeInGb: 1, readme: "r",
  ports: "80/http,22/tcp", portsConfig: [{port: "80", name: "web"}], startSsh: true, startJupyter: true,
  advancedStart: true, config: {a: 1}, isPublic: true, containerRegistryAuthId: $auth, category: CPU }) { id } }`;
