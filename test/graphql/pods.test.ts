// Pods over GraphQL, on the simulated driver.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestService } from "../fixtures/service/service.ts";
import { until } from "../fixtures/until.ts";
import { MACHINE, podsOf, simulatedService } from "../pods/fixture.ts";
import { ask, refusal } from "./ask.ts";

const everything = `id name desiredStatus imageName env machineId gpuCount vcpuCount memoryInGb
  containerDiskInGb volumeInGb volumeMountPath costPerHr adjustedCostPerHr ports port dockerArgs dockerId
  podType lastStatusChange uptimeSeconds networkVolumeId lowestBidPriceToResume templateId
  gpus { id } gpuPowerLimitPercent volumeEncrypted locked createdAt
  machine { id podHostId gpuDisplayName gpuTypeId location machineSystem { cudaVersion kernelVersion }
    gpuType { id memoryInGb cudaCores } }
  runtime { uptimeInSeconds ports { ip isIpPublic privatePort publicPort type }
    gpus { id gpuUtilPercent memoryUtilPercent } container { cpuPercent memoryPercent } }`;

const deploy = `mutation ($input: PodFindAndDeployOnDemandInput) {
  podFindAndDeployOnDemand(input: $input) { ${everything} } }`;

const simulated = { driver: "simulated", imageName: "img:1", gpuTypeId: "NVIDIA A40" };

test("a rented Pod can be read once it runs", async (t) => {
  const service = await simulatedService(t);
  const { podFindAndDeployOnDemand: created } = await ask(service, deploy, {
    input: {
      ...simulated,
      name: "first",
      cloudType: "ALL",
      gpuCount: 2,
      volumeInGb: 40,
      containerDiskInGb: 30,
      minVcpuCount: 6,
      minMemoryInGb: 30,
      dockerArgs: `bash -c "sleep infinity"`,
      ports: "8888/http, 22/tcp",
      env: [{ key: "A", value: "b=c" }],
      dataCenterId: "",
      countryCode: null,
      minDownload: 0,
    },
  });
  assert.partialDeepStrictEqual(created, {
    name: "first",
    desiredStatus: "RUNNING",
    env: ["A=b=c"],
    ports: "8888/http,22/tcp",
    dockerArgs: `bash -c "sleep infinity"`,
    gpuCount: 2,
    vcpuCount: 6,
    memoryInGb: 30,
    volumeInGb: 40,
    containerDiskInGb: 30,
    costPerHr: 0.7,
    podType: "RESERVED",
    runtime: null,
    machine: { gpuDisplayName: "A40", gpuType: { id: "NVIDIA A40", memoryInGb: 48 } },
  });
  assert.match(created.machine.podHostId, new RegExp(`^${created.id}-[0-9a-f]{8}$`));
  assert.match(created.id, /^[a-z0-9]+$/);
  const { id } = created;
  const { portMappings } = await until(podsOf(service).reached, id);

  const read = `query ($input: PodFilter!) { pod(input: $input) { ${everything} } }`;
  const { pod } = await ask(service, read, { input: { podId: id } });
  assert.deepEqual(pod.runtime.ports, [
    { ip: "127.0.0.1", isIpPublic: false, privatePort: 8888, publicPort: 8888, type: "http" },
    {
      ip: "127.0.0.1",
      isIpPublic: true,
      privatePort: 22,
      publicPort: portMappings[22],
      type: "tcp",
    },
  ]);
  assert.ok(pod.runtime.uptimeInSeconds >= 0);
  const address =
    "query ($input: PodFilter!) { pod(input: $input) { ipAddress { address pod { id } } } }";
  const { pod: addressed } = await ask(service, address, { input: { podId: id } });
  assert.deepEqual(addressed.ipAddress, { address: "127.0.0.1", pod: { id } });
  await listed(service, pod);
});

async function listed(service: TestService, pod: { costPerHr: number }): Promise<void> {
  const { myself } = await ask(
    service,
    `{ myself { pods { ${everything} } clientBalance currentSpendPerHr underBalance
      clientLifetimeSpend spendDetails { localStoragePerHour networkStoragePerHour gpuComputePerHour } } }`,
  );
  assert.equal(myself.pods.length, 1);
  assert.ok(myself.currentSpendPerHr > 0.7);
  assert.ok(myself.clientBalance <= 0);
  assert.equal(myself.underBalance, false, "it is not limited");
  assert.ok(myself.clientLifetimeSpend >= 0 && myself.clientLifetimeSpend < 0.1);
  const { localStoragePerHour, networkStoragePerHour, gpuComputePerHour } = myself.spendDetails;
  assert.deepEqual([networkStoragePerHour, gpuComputePerHour], [0, pod.costPerHr]);
  const difference = localStoragePerHour + gpuComputePerHour - myself.currentSpendPerHr;
  assert.ok(localStoragePerHour > 0 && Math.abs(difference) < 1e-9);
}

test("a Pod is stopped, and started with as many GPUs as before, with none, and with fewer", async (t) => {
  const service = await simulatedService(t);
  const input = {
    ...simulated,
    gpuCount: 2,
    minVcpuCount: 6,
    dockerArgs: `bash -c "sleep infinity"`,
  };
  const { podFindAndDeployOnDemand: created } = await ask(service, deploy, { input });
  const { id } = created;
  const one = `input: {podId: "${id}"}`;
  const { podStop } = await ask(service, `mutation { podStop(${one}) { id desiredStatus } }`);
  assert.deepEqual(podStop, { id, desiredStatus: "EXITED" });
  const bare = `mutation { podResume(input: {podId: "${id}", gpuCount: 0}) { ${everything} } }`;
  const { podResume: without } = await ask(service, bare);
  assert.deepEqual([without.gpuCount, without.costPerHr, without.gpus], [0, 0, []]);
  const zero = `mutation { podStop(${one}) { id } podResumeZeroGpu(${one}) { gpuCount } }`;
  assert.deepEqual((await ask(service, zero)).podResumeZeroGpu, { gpuCount: 0 });
  await ask(service, `mutation { podStop(${one}) { id } }`);
  const { podResume: same } = await ask(
    service,
    `mutation { podResume(${one}) { gpuCount costPerHr } }`,
  );
  assert.deepEqual(same, { gpuCount: 2, costPerHr: 0.7 });
  await ask(service, `mutation { podStop(${one}) { id } }`);
  const fewer = `mutation { podResume(input: {podId: "${id}", gpuCount: 1, allowedCudaVersions: ["12.4"]}) {
    gpuCount costPerHr vcpuCount } }`;
  assert.deepEqual((await ask(service, fewer)).podResume, {
    gpuCount: 1,
    costPerHr: 0.35,
    vcpuCount: 3,
  });
});

test("a Pod is changed, and deleted with the message that clients match", async (t) => {
  const service = await simulatedService(t);
  const input = {
    ...simulated,
    gpuCount: 2,
    minVcpuCount: 6,
    dockerArgs: `bash -c "sleep infinity"`,
  };
  const { podFindAndDeployOnDemand: created } = await ask(service, deploy, { input });
  const { id } = created;
  const one = `input: {podId: "${id}"}`;
  const edit = `mutation ($input: PodEditJobInput!) { podEditJob(input: $input) { ${everything} } }`;
  const { podEditJob } = await ask(service, edit, {
    input: {
      podId: id,
      imageName: "img:2",
      env: [{ key: "B", value: "" }],
      port: 80,
      dockerArgs: "",
    },
  });
  assert.partialDeepStrictEqual(podEditJob, { imageName: "img:2", env: ["B="], ports: "80/http" });
  assert.equal(podEditJob.dockerArgs, `bash -c "sleep infinity"`);
  for (const root of ["podRestart", "podReset"]) {
    assert.ok((await ask(service, `mutation { ${root}(${one}) { id } }`))[root].id);
  }
  const named = `mutation { podEditName(input: {podId: "${id}", name: "n"}) { name }
    podLock(input: {podId: "${id}", locked: true}) { locked } }`;
  assert.deepEqual(await ask(service, named), {
    podEditName: { name: "n" },
    podLock: { locked: true },
  });
  assert.equal(
    (await refusal(service, `mutation { podStop(${one}) { id } }`)).extensions.code,
    "pod_locked",
  );

  assert.deepEqual(await ask(service, `mutation { podTerminate(${one}) }`), { podTerminate: null });
  const error = await refusal(service, `mutation { podTerminate(${one}) }`);
  assert.equal(error.message, "pod not found to terminate");
  assert.deepEqual(await ask(service, `{ pod(${one}) { id } }`), { pod: null });
});

test("Pods created over REST can be read over GraphQL, and vice versa", async (t) => {
  const service = await simulatedService(t);
  const { json: created } = await service.call("POST", "/v1/pods", {
    driver: "simulated",
    imageName: "i",
    computeType: "CPU",
    dockerEntrypoint: ["/bin/sh"],
    dockerStartCmd: ["-c", "a b"],
  });
  const { myself } = await ask(service, `{ myself { pods { ${everything} } } }`);
  const [pod] = myself.pods;
  assert.deepEqual(
    [pod.id, pod.costPerHr, pod.lastStatusChange, pod.vcpuCount],
    [created.id, created.costPerHr, created.lastStatusChange, created.vcpuCount],
  );
  assert.deepEqual(JSON.parse(pod.dockerArgs), { cmd: ["-c", "a b"], entrypoint: ["/bin/sh"] });
  assert.deepEqual([pod.machine.gpuTypeId, pod.machine.gpuType], ["unknown", null]);
  const input = { ...simulated, dockerArgs: JSON.stringify({ cmd: ["x y"], entrypoint: ["e"] }) };
  const { podFindAndDeployOnDemand } = await ask(service, deploy, { input });
  const { json } = await service.call("GET", `/v1/pods/${podFindAndDeployOnDemand.id}`);
  assert.deepEqual([json.dockerEntrypoint, json.dockerStartCmd], [["e"], ["x y"]]);
});

test("requested services have their ports, and Jupyter has its password", async (t) => {
  const service = await simulatedService(t);
  const input = { ...simulated, ports: "80/http", startSsh: true, startJupyter: true };
  const { podFindAndDeployOnDemand: created } = await ask(service, deploy, { input });
  assert.equal(created.ports, "80/http,22/tcp,8888/http");
  assert.match(created.env[0], /^JUPYTER_PASSWORD=\w{32}$/);
});

test("0 GPUs of no type are a Pod on the cheapest CPUs that are enough", async (t) => {
  const service = await simulatedService(t);
  const none = { gpuCount: 0, gpuTypeId: "" };
  for (const [input, flavor, vcpuCount] of [
    [{ ...none, minVcpuCount: 1, minMemoryInGb: 4 }, "cpu3c", 2],
    [{ computeType: "CPU", minVcpuCount: 3, minMemoryInGb: 16 }, "cpu3g", 4],
  ] as const) {
    const pod = (
      await ask(service, deploy, { input: { driver: "simulated", imageName: "i", ...input } })
    ).podFindAndDeployOnDemand;
    const { json } = await service.call("GET", `/v1/pods/${pod.id}`);
    assert.deepEqual([json.cpuFlavorId, json.vcpuCount, json.gpuCount], [flavor, vcpuCount, 0]);
  }
});

test("a Pod whose machine has another CUDA version says so when it is resumed", async (t) => {
  const machine = JSON.stringify({ ...MACHINE, cudaVersion: "12.4" });
  const service = await simulatedService(t, { env: { FREEHOLD_MACHINE: machine } });
  const body = { driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"] };
  const { id } = (await service.call("POST", "/v1/pods", body)).json;
  await service.call("POST", `/v1/pods/${id}/stop`);
  const resume = (versions: string) =>
    `mutation { podResume(input: {podId: "${id}", allowedCudaVersions: [${versions}]}) { id } }`;
  const refused = await refusal(service, resume('"12.8", "13.0"'));
  assert.equal(refused.extensions.code, "cuda_unfit");
  assert.match(refused.message, /has CUDA 12\.4, and the Pod requires CUDA 12\.8 or 13\.0/);
  assert.deepEqual(await ask(service, resume('"12.4"')), { podResume: { id } });
});

test("a CPU Pod is identified by its instance type", async (t) => {
  const service = await simulatedService(t);
  const document = `mutation ($input: deployCpuPodInput) { deployCpuPod(input: $input) { ${everything} } }`;
  const input = {
    driver: "simulated",
    imageName: "i",
    instanceId: "cpu3g-4-16",
    cloudType: "SECURE",
    deployCost: 0.16,
  };
  const { deployCpuPod } = await ask(service, document, { input });
  assert.partialDeepStrictEqual(deployCpuPod, {
    vcpuCount: 4,
    memoryInGb: 16,
    gpuCount: 0,
    costPerHr: 0.16,
  });
  for (const instanceId of ["cpu3g-4-8", "cpu9x-2-4", "cpu3g", "", "cpu3g-3-12"]) {
    const wrong = await refusal(service, document, { input: { ...input, instanceId } });
    assert.equal(wrong.extensions.code, "invalid_body", instanceId);
    assert.match(wrong.message, /cpu3c-2-4/);
  }
});

test("a spot Pod is rented at a bid and resumed at another", async (t) => {
  const service = await simulatedService(t);
  const rent = `mutation ($input: PodRentInterruptableInput) { podRentInterruptable(input: $input) { ${everything} } }`;
  const input = { ...simulated, cloudType: "SECURE", bidPerGpu: 0.3 };
  const low = await refusal(service, rent, { input: { ...input, bidPerGpu: 0.1 } });
  assert.match(low.message, /"bidPerGpu" is 0.1; .* begin at 0.22/);
  const { podRentInterruptable: created } = await ask(service, rent, { input });
  assert.partialDeepStrictEqual(created, {
    podType: "INTERRUPTABLE",
    costPerHr: 0.22,
    lowestBidPriceToResume: 0.22,
  });
  await ask(service, `mutation { podStop(input: {podId: "${created.id}"}) { id } }`);
  const again = (bid: number) =>
    `mutation { podBidResume(input: {podId: "${created.id}", bidPerGpu: ${bid}, gpuCount: 1}) { desiredStatus } }`;
  assert.match((await refusal(service, again(0.2))).message, /"bidPerGpu" is 0.2/);
  assert.deepEqual((await ask(service, again(0.25))).podBidResume, { desiredStatus: "RUNNING" });
});

const wrong: [name: string, input: object, code: string, message: RegExp][] = [
  ["no such type", { gpuTypeId: "NVIDIA A41" }, "invalid_body", /did you mean "NVIDIA A40"/],
  ["no image", { imageName: "" }, "invalid_body", /"imageName" is missing/],
  ["too many GPUs", { gpuCount: 9 }, "no_capacity", /no instances currently available/],
  [
    "a price that is too low",
    { deployCost: 0.1 },
    "too_dear",
    /^There are no longer any instances available .* 0\.35 dollars .*"deployCost" is 0\.1/,
  ],
  ["no such template", { templateId: "nope" }, "invalid_body", /"templateId"/],
  ["a port that is none", { ports: "web" }, "invalid_body", /"ports\[0\]"/],
  ["a savings plan of a week", { savingsPlan: { planLength: "1w" } }, "invalid_body", /threeMonth/],
  ["a certification", { compliance: ["GDPR"] }, "not_offered", /certifications/],
  ["an encrypted volume", { volumeKey: "k" }, "not_offered", /encrypted/],
  ["a network", { globalNetwork: true }, "not_offered", /Global networking/],
  ["an instant", { stopAfter: "tomorrow" }, "invalid_document", /ISO 8601/],
  ["a command", { dockerArgs: "sleep \u0000" }, "invalid_body", /^"dockerArgs" has a NUL/],
  ["a type", { gpuTypeId: null, gpuTypeIdList: ["x"] }, "invalid_body", /"gpuTypeIdList"/],
  ["a cloud", { cloudType: "PRIVATE" }, "invalid_document", /"PRIVATE"/],
  ["CPUs", { computeType: "CPU", minVcpuCount: 64 }, "invalid_body", /"minVcpuCount" is 64/],
];

test("an invalid Pod is refused with a sentence and not created", async (t) => {
  const service = await simulatedService(t);
  for (const [name, input, code, message] of wrong) {
    const { extensions, ...error } = await refusal(service, deploy, {
      input: { ...simulated, ...input },
    });
    assert.equal(extensions.code, code, `${name}: ${error.message}`);
    assert.match(error.message, message, name);
  }
  const none = await refusal(service, deploy, { input: null });
  assert.match(none.message, /"input" is missing/);
  assert.deepEqual(await ask(service, "{ myself { pods { id } } }"), { myself: { pods: [] } });
});

test("unknown Pods and invalid transitions are rejected", async (t) => {
  const service = await simulatedService(t);
  for (const id of ["nope", "", "a b", "\\u0000", "x".repeat(500)]) {
    for (const root of ["podStop", "podResume", "podRestart", "podReset"]) {
      const error = await refusal(service, `mutation { ${root}(input: {podId: "${id}"}) { id } }`);
      assert.equal(error.extensions.code, "pod_not_found", error.message);
    }
    assert.deepEqual(await ask(service, `{ pod(input: {podId: "${id}"}) { id } }`), { pod: null });
  }
  const { podFindAndDeployOnDemand: created } = await ask(service, deploy, { input: simulated });
  const less = `mutation { podResume(input: {podId: "${created.id}", gpuCount: -1}) { id } }`;
  assert.match((await refusal(service, less)).message, /"gpuCount" must be/);
  const bid = `mutation { podBidResume(input: {podId: "${created.id}", bidPerGpu: 1, gpuCount: 1}) { id } }`;
  assert.match((await refusal(service, bid)).message, /takes no bid/);
  const more = `mutation { podEditJob(input: {podId: "${created.id}", gpuCount: 2}) { id } }`;
  assert.equal((await refusal(service, more)).extensions.code, "not_offered");
});

test("deadlines are accepted in any form of ISO 8601, and shown over REST", async (t) => {
  const service = await simulatedService(t);
  const after = { stopAfter: "2099-01-31", terminateAfter: "2099-02-01T01:00:00+01:00" };
  const input = { ...simulated, ...after };
  const { podFindAndDeployOnDemand: created } = await ask(service, deploy, { input });
  const { json } = await service.call("GET", `/v1/pods/${created.id}`);
  assert.deepEqual(
    [json.stopAfter, json.terminateAfter],
    ["2099-01-31T00:00:00.000Z", "2099-02-01T00:00:00.000Z"],
  );
  for (const terminateAfter of ["2099-02-30", "2099-02-30T00:00:00Z", "2099-13-01", "tomorrow"]) {
    const { message } = await refusal(service, deploy, { input: { ...simulated, terminateAfter } });
    assert.match(message, /A DateTime takes ISO 8601/, terminateAfter);
  }
});
