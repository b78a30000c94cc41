// Pods over GraphQL, on the fake driver.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestHouse } from "../house.ts";
import { fakeHouse, podsOf, until } from "../pods/stage.ts";
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

const fake = { driver: "fake", imageName: "img:1", gpuTypeId: "NVIDIA A40" };

test("a Pod is rented, and read once it is up", async (t) => {
  const house = await fakeHouse(t);
  const { podFindAndDeployOnDemand: made } = await ask(house, deploy, {
    input: {
      ...fake,
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
  assert.partialDeepStrictEqual(made, {
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
  assert.match(made.machine.podHostId, new RegExp(`^${made.id}-[0-9a-f]{8}$`));
  assert.match(made.id, /^[a-z0-9]+$/);
  const { id } = made;
  const { portMappings } = await until(podsOf(house).reached, id);

  const read = `query ($input: PodFilter!) { pod(input: $input) { ${everything} } }`;
  const { pod } = await ask(house, read, { input: { podId: id } });
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
  await listed(house, pod);
});

async function listed(house: TestHouse, pod: { costPerHr: number }): Promise<void> {
  const { myself } = await ask(
    house,
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
  const sum = localStoragePerHour + gpuComputePerHour;
  assert.ok(localStoragePerHour > 0 && Math.abs(sum - myself.currentSpendPerHr) < 1e-9);
}

test("a Pod is stopped, and started with as many GPUs as before, with none, and with fewer", async (t) => {
  const house = await fakeHouse(t);
  const input = { ...fake, gpuCount: 2, minVcpuCount: 6, dockerArgs: `bash -c "sleep infinity"` };
  const { podFindAndDeployOnDemand: made } = await ask(house, deploy, { input });
  const { id } = made;
  const one = `input: {podId: "${id}"}`;
  const { podStop } = await ask(house, `mutation { podStop(${one}) { id desiredStatus } }`);
  assert.deepEqual(podStop, { id, desiredStatus: "EXITED" });
  const bare = `mutation { podResume(input: {podId: "${id}", gpuCount: 0}) { ${everything} } }`;
  const { podResume: without } = await ask(house, bare);
  assert.deepEqual([without.gpuCount, without.costPerHr, without.gpus], [0, 0, []]);
  await ask(house, `mutation { podStop(${one}) { id } }`);
  const { podResume: same } = await ask(
    house,
    `mutation { podResume(${one}) { gpuCount costPerHr } }`,
  );
  assert.deepEqual(same, { gpuCount: 2, costPerHr: 0.7 });
  await ask(house, `mutation { podStop(${one}) { id } }`);
  const fewer = `mutation { podResume(input: {podId: "${id}", gpuCount: 1, allowedCudaVersions: ["12.4"]}) {
    gpuCount costPerHr vcpuCount } }`;
  assert.deepEqual((await ask(house, fewer)).podResume, {
    gpuCount: 1,
    costPerHr: 0.35,
    vcpuCount: 3,
  });
});

test("a Pod is changed, and deleted in words that clients look for", async (t) => {
  const house = await fakeHouse(t);
  const input = { ...fake, gpuCount: 2, minVcpuCount: 6, dockerArgs: `bash -c "sleep infinity"` };
  const { podFindAndDeployOnDemand: made } = await ask(house, deploy, { input });
  const { id } = made;
  const one = `input: {podId: "${id}"}`;
  const edit = `mutation ($input: PodEditJobInput!) { podEditJob(input: $input) { ${everything} } }`;
  const { podEditJob } = await ask(house, edit, {
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
    assert.ok((await ask(house, `mutation { ${root}(${one}) { id } }`))[root].id);
  }
  const named = `mutation { podEditName(input: {podId: "${id}", name: "n"}) { name }
    podLock(input: {podId: "${id}", locked: true}) { locked } }`;
  assert.deepEqual(await ask(house, named), {
    podEditName: { name: "n" },
    podLock: { locked: true },
  });
  assert.equal(
    (await refusal(house, `mutation { podStop(${one}) { id } }`)).extensions.code,
    "pod_locked",
  );

  assert.deepEqual(await ask(house, `mutation { podTerminate(${one}) }`), { podTerminate: null });
  const gone = await refusal(house, `mutation { podTerminate(${one}) }`);
  assert.equal(gone.message, "pod not found to terminate");
  assert.deepEqual(await ask(house, `{ pod(${one}) { id } }`), { pod: null });
});

test("what REST makes GraphQL reads, and the other way round", async (t) => {
  const house = await fakeHouse(t);
  const { json: made } = await house.call("POST", "/v1/pods", {
    driver: "fake",
    imageName: "i",
    computeType: "CPU",
    dockerEntrypoint: ["/bin/sh"],
    dockerStartCmd: ["-c", "a b"],
  });
  const { myself } = await ask(house, `{ myself { pods { ${everything} } } }`);
  const [pod] = myself.pods;
  assert.deepEqual(
    [pod.id, pod.costPerHr, pod.lastStatusChange, pod.vcpuCount],
    [made.id, made.costPerHr, made.lastStatusChange, made.vcpuCount],
  );
  assert.deepEqual(JSON.parse(pod.dockerArgs), { cmd: ["-c", "a b"], entrypoint: ["/bin/sh"] });
  assert.deepEqual([pod.machine.gpuTypeId, pod.machine.gpuType], ["unknown", null]);
  const input = { ...fake, dockerArgs: JSON.stringify({ cmd: ["x y"], entrypoint: ["e"] }) };
  const { podFindAndDeployOnDemand } = await ask(house, deploy, { input });
  const { json } = await house.call("GET", `/v1/pods/${podFindAndDeployOnDemand.id}`);
  assert.deepEqual([json.dockerEntrypoint, json.dockerStartCmd], [["e"], ["x y"]]);
});

test("services that are asked for have their ports, and Jupyter its password", async (t) => {
  const house = await fakeHouse(t);
  const input = { ...fake, ports: "80/http", startSsh: true, startJupyter: true };
  const { podFindAndDeployOnDemand: made } = await ask(house, deploy, { input });
  assert.equal(made.ports, "80/http,22/tcp,8888/http");
  assert.match(made.env[0], /^JUPYTER_PASSWORD=\w{32}$/);
});

test("a Pod on CPUs is named by its instance", async (t) => {
  const house = await fakeHouse(t);
  const document = `mutation ($input: deployCpuPodInput) { deployCpuPod(input: $input) { ${everything} } }`;
  const input = {
    driver: "fake",
    imageName: "i",
    instanceId: "cpu3g-4-16",
    cloudType: "SECURE",
    deployCost: 0.16,
  };
  const { deployCpuPod } = await ask(house, document, { input });
  assert.partialDeepStrictEqual(deployCpuPod, {
    vcpuCount: 4,
    memoryInGb: 16,
    gpuCount: 0,
    costPerHr: 0.16,
  });
  for (const instanceId of ["cpu3g-4-8", "cpu9x-2-4", "cpu3g", "", "cpu3g-3-12"]) {
    const wrong = await refusal(house, document, { input: { ...input, instanceId } });
    assert.equal(wrong.extensions.code, "invalid_body", instanceId);
    assert.match(wrong.message, /cpu3c-2-4/);
  }
});

test("a spot Pod is rented at a bid, and started again at another", async (t) => {
  const house = await fakeHouse(t);
  const rent = `mutation ($input: PodRentInterruptableInput) { podRentInterruptable(input: $input) { ${everything} } }`;
  const input = { ...fake, cloudType: "SECURE", bidPerGpu: 0.3 };
  const low = await refusal(house, rent, { input: { ...input, bidPerGpu: 0.1 } });
  assert.match(low.message, /"bidPerGpu" is 0.1; .* begin at 0.22/);
  const { podRentInterruptable: made } = await ask(house, rent, { input });
  assert.partialDeepStrictEqual(made, {
    podType: "INTERRUPTABLE",
    costPerHr: 0.22,
    lowestBidPriceToResume: 0.22,
  });
  await ask(house, `mutation { podStop(input: {podId: "${made.id}"}) { id } }`);
  const again = (bid: number) =>
    `mutation { podBidResume(input: {podId: "${made.id}", bidPerGpu: ${bid}, gpuCount: 1}) { desiredStatus } }`;
  assert.match((await refusal(house, again(0.2))).message, /"bidPerGpu" is 0.2/);
  assert.deepEqual((await ask(house, again(0.25))).podBidResume, { desiredStatus: "RUNNING" });
});

const wrong: [name: string, input: object, code: string, message: RegExp][] = [
  ["no such type", { gpuTypeId: "NVIDIA A41" }, "invalid_body", /did you mean "NVIDIA A40"/],
  ["no image", { imageName: "" }, "invalid_body", /"imageName" is missing/],
  ["too many GPUs", { gpuCount: 9 }, "no_capacity", /no instances currently available/],
  [
    "a price that is too low",
    { deployCost: 0.1 },
    "too_dear",
    /0\.35 dollars .*"deployCost" is 0\.1/,
  ],
  ["no such template", { templateId: "nope" }, "invalid_body", /"templateId"/],
  ["a port that is none", { ports: "web" }, "invalid_body", /"ports\[0\]"/],
  ["a savings plan of a week", { savingsPlan: { planLength: "1w" } }, "invalid_body", /threeMonth/],
  ["a certification", { compliance: ["GDPR"] }, "not_offered", /certifications/],
  ["an encrypted volume", { volumeKey: "k" }, "not_offered", /encrypted/],
  ["a network", { globalNetwork: true }, "not_offered", /Global networking/],
  ["an instant", { stopAfter: "tomorrow" }, "invalid_document", /ISO 8601/],
  ["a cloud", { cloudType: "PRIVATE" }, "invalid_document", /"PRIVATE"/],
  ["no CPU instance", { computeType: "CPU" }, "invalid_body", /"instanceId" is missing/],
];

test("what is wrong with a new Pod is told, and nothing is made", async (t) => {
  const house = await fakeHouse(t);
  for (const [name, input, code, message] of wrong) {
    const { extensions, ...told } = await refusal(house, deploy, { input: { ...fake, ...input } });
    assert.equal(extensions.code, code, `${name}: ${told.message}`);
    assert.match(told.message, message, name);
  }
  const none = await refusal(house, deploy, { input: null });
  assert.match(none.message, /"input" is missing/);
  assert.deepEqual(await ask(house, "{ myself { pods { id } } }"), { myself: { pods: [] } });
});

test("unknown Pods and moves that are not allowed are refused", async (t) => {
  const house = await fakeHouse(t);
  for (const id of ["nope", "", "a b", "\\u0000", "x".repeat(500)]) {
    for (const root of ["podStop", "podResume", "podRestart", "podReset"]) {
      const told = await refusal(house, `mutation { ${root}(input: {podId: "${id}"}) { id } }`);
      assert.equal(told.extensions.code, "pod_not_found", told.message);
    }
    assert.deepEqual(await ask(house, `{ pod(input: {podId: "${id}"}) { id } }`), { pod: null });
  }
  const { podFindAndDeployOnDemand: made } = await ask(house, deploy, { input: fake });
  const less = `mutation { podResume(input: {podId: "${made.id}", gpuCount: -1}) { id } }`;
  assert.match((await refusal(house, less)).message, /"gpuCount" must be/);
  const bid = `mutation { podBidResume(input: {podId: "${made.id}", bidPerGpu: 1, gpuCount: 1}) { id } }`;
  assert.match((await refusal(house, bid)).message, /takes no bid/);
  const more = `mutation { podEditJob(input: {podId: "${made.id}", gpuCount: 2}) { id } }`;
  assert.equal((await refusal(house, more)).extensions.code, "not_offered");
});

test("deadlines come in any form of ISO 8601, and are shown by REST", async (t) => {
  const house = await fakeHouse(t);
  const input = { ...fake, stopAfter: "2099-01-31", terminateAfter: "2099-02-01T01:00:00+01:00" };
  const { podFindAndDeployOnDemand: made } = await ask(house, deploy, { input });
  const { json } = await house.call("GET", `/v1/pods/${made.id}`);
  assert.deepEqual(
    [json.stopAfter, json.terminateAfter],
    ["2099-01-31T00:00:00.000Z", "2099-02-01T00:00:00.000Z"],
  );
});
