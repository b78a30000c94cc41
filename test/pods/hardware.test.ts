// What clients read of the hardware of Pods and workers: GPU prices, the machine and the runtime.

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../fixtures/until.ts";
import { ask } from "../graphql/ask.ts";
import { MACHINE, podsOf, simulatedService } from "./fixture.ts";

const env = { FREEHOLD_GPUS: '{"NVIDIA A40": 4}' };
const onA40 = { driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"] };

const PRICES = [
  "securePrice",
  "communityPrice",
  "oneWeekPrice",
  "oneMonthPrice",
  "threeMonthPrice",
  "sixMonthPrice",
  "communitySpotPrice",
  "secureSpotPrice",
];

/** The machine of the specification, as clients' generated types require it. */
const REQUIRED = [
  "minPodGpuCount",
  "gpuTypeId",
  "gpuType",
  "cpuCount",
  "cpuTypeId",
  "cpuType",
  "location",
  "dataCenterId",
  "supportPublicIp",
  "secureCloud",
  "note",
  "costPerHr",
  "currentPricePerGpu",
  "gpuAvailable",
  "gpuDisplayName",
];

test("a GPU Pod shows every price of its GPU type, whether plans are offered or not", async (t) => {
  const service = await simulatedService(t, { env });
  const pod = (await service.call("POST", "/v1/pods", onA40)).json;
  for (const name of PRICES) assert.ok(pod.gpu[name] > 0, name);
  assert.equal(pod.gpu.oneMonthPrice, pod.gpu.securePrice);
  assert.equal(pod.gpu.virtual, true);
});

test("includeMachine shows the whole machine, on GPUs and on CPUs", async (t) => {
  const declared = { downloadMbps: 900.4, uploadMbps: 800, diskMBps: 2_000 };
  const machine = JSON.stringify({ ...MACHINE, ...declared, cudaVersion: "12.4" });
  const service = await simulatedService(t, { env: { ...env, FREEHOLD_MACHINE: machine } });
  const read = async (body: object) => {
    const { id } = (await service.call("POST", "/v1/pods", body)).json;
    return (await service.call("GET", `/v1/pods/${id}?includeMachine=true`)).json;
  };
  const gpu = await read({ ...onA40, gpuCount: 2, dataCenterIds: ["EU-RO-1", "US-IL-1"] });
  for (const name of REQUIRED) assert.ok(name in gpu.machine, name);
  assert.partialDeepStrictEqual(gpu.machine, {
    minPodGpuCount: 1,
    gpuAvailable: 2,
    currentPricePerGpu: gpu.costPerHr / 2,
    dataCenterId: "EU-RO-1",
    location: "Romania",
    supportPublicIp: true,
    secureCloud: true,
    note: "Its GPUs are virtual.",
    maxDownloadSpeedMbps: 900,
    maxUploadSpeedMbps: 800,
    diskThroughputMBps: 2_000,
    gpuType: { id: "NVIDIA A40", count: 4, displayName: "A40" },
  });
  assert.equal(gpu.machine.cpuType.id, gpu.machine.cpuTypeId);
  const cpu = await read({ driver: "simulated", imageName: "i", computeType: "CPU" });
  assert.partialDeepStrictEqual(cpu.machine, {
    gpuAvailable: 0,
    cpuTypeId: cpu.cpuFlavorId,
    cpuType: { id: cpu.cpuFlavorId, groupId: cpu.cpuFlavorId, threadsPerCore: 1 },
    dataCenterId: "unknown",
    location: "unknown",
    note: "",
  });
  assert.ok(!("gpuType" in cpu.machine) && !("currentPricePerGpu" in cpu.machine));
});

test("a Pod is found by the data center that it asked for, where its machine declares none", async (t) => {
  const service = await simulatedService(t, { env });
  const body = { ...onA40, dataCenterIds: ["EU-RO-1", "US-IL-1"] };
  const { id } = (await service.call("POST", "/v1/pods", body)).json;
  const found = async (query: string) =>
    ((await service.call("GET", `/v1/pods?${query}`)).json as { id: string }[]).map((e) => e.id);
  assert.deepEqual(await found("dataCenterId=EU-RO-1"), [id]);
  assert.deepEqual(await found("dataCenterId=US-IL-1"), []);
});

test("a Pod carries its runtime while its container runs", async (t) => {
  const service = await simulatedService(t, { env });
  const pods = podsOf(service);
  const body = { ...onA40, ports: ["80/http", "22/tcp"] };
  const { id } = (await service.call("POST", "/v1/pods", body)).json;
  await until(pods.reached, id);
  const { runtime } = (await service.call("GET", `/v1/pods/${id}`)).json;
  // Typed clients of REST v1 read an object of other fields than GraphQL's, and fail on its list of ports.
  assert.deepEqual(Object.keys(runtime), ["uptimeSeconds"]);
  assert.ok(Number.isInteger(runtime.uptimeSeconds) && runtime.uptimeSeconds >= 0);
  const [listed] = (await service.call("GET", "/v1/pods")).json;
  assert.deepEqual(Object.keys(listed.runtime), ["uptimeSeconds"]);
  const stopped = (await service.call("POST", `/v1/pods/${id}/stop`)).json;
  assert.ok(!("runtime" in stopped));
});

test("a worker read as a Pod has its true cost, hardware, machine and runtime", async (t) => {
  const service = await simulatedService(t, { env });
  const template = { driver: "simulated" as const, dockerStartCmd: ["simulate", "--echo"] };
  const spec = { workersMin: 1, workersMax: 1, gpuTypeIds: ["NVIDIA A40"], gpuCount: 2 };
  const endpoint = await service.makeEndpoint({ template, spec });
  const path = `/v1/pods?includeWorkers=true&includeMachine=true&endpointId=${endpoint}`;
  const worker = await until(async () => {
    const [pod] = (await service.call("GET", path)).json;
    return pod?.runtime ? pod : null;
  }, "");
  assert.deepEqual(Object.keys(worker.runtime), ["uptimeSeconds"]);
  const { serverlessPrice } = (await service.call("GET", "/v1/catalog/gpu-types")).json.find(
    ({ id }: { id: string }) => id === "NVIDIA A40",
  );
  assert.partialDeepStrictEqual(worker, {
    costPerHr: 2 * serverlessPrice,
    adjustedCostPerHr: 2 * serverlessPrice,
    gpuTypeId: "NVIDIA A40",
    gpu: { id: "NVIDIA A40", count: 2 },
    gpuCount: 2,
    vcpuCount: 4,
    memoryInGb: 16,
    machine: { gpuAvailable: 2, currentPricePerGpu: serverlessPrice, gpuTypeId: "NVIDIA A40" },
  });
  const document = `{ myself { endpoint(id: "${endpoint}") { pods { costPerHr gpuCount vcpuCount
    memoryInGb runtime { uptimeInSeconds gpus { id } } gpus { id }
    machine { gpuTypeId gpuDisplayName gpuAvailable podHostId vcpuTotal vcpuReserved }
  } } } }`;
  const [graphql] = (await ask(service, document)).myself.endpoint.pods;
  assert.partialDeepStrictEqual(graphql, {
    costPerHr: 2 * serverlessPrice,
    gpuCount: 2,
    vcpuCount: 4,
    memoryInGb: 16,
    machine: { gpuTypeId: "NVIDIA A40", gpuDisplayName: "A40", gpuAvailable: 2 },
  });
  assert.equal(graphql.runtime.gpus.length, 2);
  assert.match(graphql.machine.podHostId, new RegExp(`^${worker.id}-[0-9a-f]{8}$`));
});

test("a worker on CPUs shows its flavor and its cost", async (t) => {
  const service = await simulatedService(t, { env });
  const template = { driver: "simulated" as const, dockerStartCmd: ["simulate", "--echo"] };
  const cpu = { computeType: "CPU" as const, cpuFlavorIds: ["cpu5c"], vcpuCount: 4 };
  const endpoint = await service.makeEndpoint({
    template,
    spec: { workersMin: 1, workersMax: 1, ...cpu },
  });
  const worker = await until(async () => {
    const answer = await service.call("GET", `/v1/endpoints/${endpoint}?includeWorkers=true`);
    return answer.json.workers[0] ?? null;
  }, "");
  assert.partialDeepStrictEqual(worker, {
    cpuFlavorId: "cpu5c",
    vcpuCount: 4,
    memoryInGb: 8,
    gpuCount: 0,
  });
  assert.ok(worker.costPerHr > 0);
});
