// Shares of the GPUs of a simulated machine: GPU types of their own, never sold twice, with the health of their GPU.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { freehold } from "../cli/command.ts";
import { newDataFolder } from "../fixtures/service/service.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "./fixture.ts";

const A100 = "NVIDIA A100-SXM4-80GB";
const QUARTER = `${A100} shared 1/4 20GB`;

async function sharingService(t: TestContext) {
  const dataFolder = newDataFolder();
  const scenario = {
    gpus: [{ name: A100, memoryMb: 81_920, count: 2 }],
    events: [{ at: "+3h", gpu: 0, xid: 119, detail: "Timeout" }],
  };
  writeFileSync(path.join(dataFolder, "freehold.gpus.json"), JSON.stringify(scenario));
  const service = await simulatedService(t, {
    replicas: null,
    dataFolder,
    env: virtual.env,
  });
  const { call } = service;
  const machine = async () => (await call("GET", "/v1/machines")).json[0];
  const { id, gpuDevices } = await machine();
  const uuids: string[] = gpuDevices.map(({ uuid }: { uuid: string }) => uuid);
  const divide = (sharedGpus: Record<string, unknown>) =>
    call("PATCH", `/v1/machines/${id}`, { sharedGpus });
  const create = (gpuTypeId: string, gpuCount = 1) =>
    call("POST", "/v1/pods", {
      driver: "simulated",
      imageName: "i",
      gpuTypeIds: [gpuTypeId],
      gpuCount,
    });
  return { service, dataFolder, machine, id, uuids, divide, create };
}

const QUARTERS = { count: 4, memoryInGb: 20 };

test("shares are rented as a type of their own, and never oversold", async (t) => {
  const { service, dataFolder, machine, id, uuids, divide, create } = await sharingService(t);
  const { call } = service;
  const command = (...args: string[]) =>
    freehold(["machine", "slice", id, ...args, "--data", dataFolder]);
  const divided = await command("--gpu", uuids[0]!, "--shares", "4", "--memory", "20");
  assert.match(divided.stdout, /^GPU 0 .* shared; 4 shares of 20 GB, 0 in use\nGPU 1 .* free\n/);
  assert.match(divided.stdout, /declared, not enforced/);

  const groups = (await machine()).gpus.map((each: Record<string, unknown>) => [
    each.gpuTypeId,
    each.count,
    each.free,
    each.memoryInGb,
  ]);
  assert.deepEqual(groups, [
    [A100, 1, 1, 80],
    [QUARTER, 4, 4, 20],
  ]);
  const types = (await call("GET", "/v1/catalog/gpu-types")).json;
  const typeOf = (gpuTypeId: string) => types.find((type: { id: string }) => type.id === gpuTypeId);
  assert.equal(typeOf(QUARTER).securePrice, typeOf(A100).securePrice / 4);
  assert.equal(typeOf(QUARTER).memoryInGb, 20);

  const together = await create(QUARTER, 2);
  assert.match(
    together.text,
    /has only 1 GPU of the type .* shared 1\/4 20GB, and 2 are asked for/,
  );
  const created = await Promise.all(Array.from({ length: 5 }, () => create(QUARTER)));
  const pods = created.filter(({ status }) => status === 201).map(({ json }) => json);
  assert.equal(pods.length, 4);
  for (const pod of pods) await until(podsOf(service).reached, pod.id);
  const refused = created.find(({ status }) => status !== 201)!;
  assert.match(refused.text, /0 GPUs of the type .* shared 1\/4 20GB are free and 1 are asked for/);

  const listed = await freehold([
    "exec",
    pods[3].id,
    "--data",
    dataFolder,
    "--",
    "nvidia-smi",
    "-L",
  ]);
  assert.match(listed.stdout, new RegExp(`^GPU 0: ${A100} \\(UUID: ${uuids[0]}\\)\\n$`));
  const why = (await call("GET", `/v1/why/${pods[0].id}`)).json;
  assert.match(
    why.sentence,
    /up to 4 workloads use by turns: its 20 GB .* declared and not enforced/,
  );
  const shown = await command();
  assert.match(shown.stdout, /^GPU 0 .* shared; 4 shares of 20 GB, 4 in use; \w+; \w+; \w+; \w+\n/);

  const used = await divide({ [uuids[0]!]: null });
  assert.equal(used.status, 400);
  assert.match(used.text, /which \w+ uses; nothing may run on a GPU whose layout changes/);
  const untouched = await divide({ [uuids[0]!]: QUARTERS, [uuids[1]!]: QUARTERS });
  assert.equal(untouched.status, 200);
  const fifth = await create(QUARTER);
  assert.equal(fifth.status, 201);
  for (const pod of [...pods, fifth.json]) await call("DELETE", `/v1/pods/${pod.id}`);
  await until(async () => (await command("--gpu", A100, "--whole")).code === 0);
  assert.deepEqual(
    (await machine()).gpus.map((each: Record<string, unknown>) => [each.gpuTypeId, each.count]),
    [[A100, 2]],
  );
});

test("shares with limits of MPS are types of their own, and say what limits them", async (t) => {
  const { service, dataFolder, machine, id, uuids, divide, create } = await sharingService(t);
  const mps = `${A100} MPS 1/4 20GB`;
  const command = ["--shares", "4", "--memory", "20", "--mps", "--data", dataFolder];
  const { stdout } = await freehold(["machine", "slice", id, "--gpu", uuids[0]!, ...command]);
  assert.match(stdout, /^GPU 0 .* shared; 4 MPS shares of 20 GB, 0 in use\n/);
  assert.match(stdout, /\nMPS limits the memory of its shares, unless a program leaves MPS\.\n$/);
  assert.deepEqual((await machine()).gpuDevices[0].shares, {
    ...QUARTERS,
    mps: true,
    gpuTypeId: mps,
    held: 0,
  });
  const pod = await create(mps);
  assert.equal(pod.status, 201);
  await until(podsOf(service).reached, pod.json.id);
  const { sentence } = (await service.call("GET", `/v1/why/${pod.json.id}`)).json;
  assert.match(sentence, /its 20 GB of memory are the limit that MPS sets for its programs/);
  const types = (await service.call("GET", "/v1/catalog/gpu-types")).json;
  const priceOf = (name: string) =>
    types.find((type: { id: string }) => type.id === name).securePrice;
  assert.equal(priceOf(mps), priceOf(A100) / 4);
  assert.equal((await divide({ [uuids[1]!]: { ...QUARTERS, mps: false } })).status, 400);
});

test("a Pod's shares are on different GPUs, of which the layout has to fit", async (t) => {
  const { service, id, uuids, divide, create, machine } = await sharingService(t);
  const [first, second] = uuids as [string, string];
  for (const [layout, text] of [
    [
      { count: 5, memoryInGb: 20 },
      /81,920 MB is less than 5 times 20 GB; 5 shares have at most 16/,
    ],
    [{ count: 1, memoryInGb: 20 }, /sharedGpus/],
    [{ count: 4 }, /sharedGpus/],
  ] as const) {
    const refused = await divide({ [first]: layout });
    assert.equal(refused.status, 400);
    assert.match(refused.text, text);
  }
  const unknown = await divide({ "GPU-none": QUARTERS });
  assert.match(unknown.text, /names the GPU GPU-none, which the machine does not have/);

  const whole = await create(A100);
  assert.equal(whole.status, 201);
  const held = (await machine()).gpuDevices.find(
    ({ workloads }: { workloads: string[] }) => workloads.length > 0,
  );
  const occupied = await divide({ [first]: QUARTERS, [second]: QUARTERS });
  assert.match(
    occupied.text,
    new RegExp(`names the GPU ${held.uuid}, which ${whole.json.id} uses`),
  );
  const both = await service.call("PATCH", `/v1/machines/${id}`, {
    sharedGpus: { [held.uuid === first ? second : first]: QUARTERS },
    testGpus: [held.uuid],
  });
  assert.match(both.text, /names the GPU .*; a test needs a GPU that nothing uses/);
  const states = (await machine()).gpuDevices.map(({ state }: { state: string }) => state);
  assert.deepEqual(states.toSorted(), ["free", "in_use"], "a refused change changes nothing");
  const { text: types } = await service.call("GET", "/v1/catalog/gpu-types");
  assert.doesNotMatch(types, / shared 1/, "nor does it add a type");
  await service.call("DELETE", `/v1/pods/${whole.json.id}`);
  await until(async () => (await divide({ [first]: QUARTERS, [second]: QUARTERS })).status === 200);

  const unnamed = { driver: "simulated", imageName: "i" };
  const refused = await service.call("POST", "/v1/pods", unnamed);
  assert.match(refused.text, /it has no GPU of a type that is asked for/);
  const pair = await create(QUARTER, 2);
  assert.equal(pair.status, 201);
  await until(podsOf(service).reached, pair.json.id);
  const devices = (await machine()).gpuDevices;
  assert.deepEqual(
    devices.map(({ shares }: { shares: { held: number } }) => shares.held),
    [1, 1],
  );
  assert.equal((await create(A100)).status === 201, false);
});

test("a GPU in quarantine takes out all its shares, and its Pods say so", async (t) => {
  const { service, uuids, divide, create, machine } = await sharingService(t);
  assert.equal((await divide({ [uuids[0]!]: QUARTERS })).status, 200);
  const pod = (await create(QUARTER)).json;
  await until(podsOf(service).reached, pod.id);
  await advance(service, "3h");
  await until(async () => (await machine()).gpuDevices[0].state === "quarantined");
  const group = (await machine()).gpus.find(
    ({ gpuTypeId }: { gpuTypeId: string }) => gpuTypeId === QUARTER,
  );
  assert.deepEqual([group.count, group.free], [4, 0]);
  const why = (await service.call("GET", `/v1/why/${pod.id}`)).json;
  assert.equal(why.code, "pod_gpu_unhealthy");
  assert.match((await create(QUARTER)).text, /0 GPUs of the type/);
});
