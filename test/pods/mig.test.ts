// MIG devices of a simulated machine: GPU types of their own, whose Pods share the health of their GPU.

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
const SMALL = `${A100} MIG 1g.10gb`;
const LARGE = `${A100} MIG 3g.40gb`;
const small = (uuid: string) => ({ profile: "1g.10gb", uuid, memoryMb: 9_728 });
const large = { profile: "3g.40gb", uuid: "MIG-large", memoryMb: 40_192 };

async function migService(t: TestContext) {
  const dataFolder = newDataFolder();
  const scenario = {
    gpus: [
      { name: A100, memoryMb: 81_920, count: 1, slices: [small("MIG-1"), small("MIG-2"), large] },
    ],
    events: [
      { at: "+1h", log: "NVRM: Xid (PCI:0000:01:00 GPU-I:02): 95, Uncontained ECC error" },
      { at: "+2h", gpu: 0, slices: [small("MIG-2"), large] },
      { at: "+3h", gpu: 0, xid: 119, detail: "Timeout" },
    ],
  };
  writeFileSync(path.join(dataFolder, "freehold.gpus.json"), JSON.stringify(scenario));
  const service = await simulatedService(t, {
    replicas: null,
    dataFolder,
    env: virtual.env,
  });
  const { call } = service;
  const machine = async () => (await call("GET", "/v1/machines")).json[0];
  const states = async () =>
    (await machine()).gpuDevices.map(
      ({ uuid, state }: Record<string, string>) => `${uuid!.slice(0, 5)} ${state}`,
    );
  const create = (gpuTypeId: string, gpuCount = 1) =>
    call("POST", "/v1/pods", {
      driver: "simulated",
      imageName: "i",
      gpuTypeIds: [gpuTypeId],
      gpuCount,
    });
  return { service, dataFolder, machine, states, create };
}

test("MIG devices are rented as types of their own, and never twice", async (t) => {
  const { service, dataFolder, machine, states, create } = await migService(t);
  const { call } = service;
  const groups = (await machine()).gpus.map((group: Record<string, unknown>) => [
    group.gpuTypeId,
    group.count,
    group.memoryInGb,
  ]);
  assert.deepEqual(
    groups.map(([id, count]: unknown[]) => [id, count]),
    [
      [SMALL, 2],
      [LARGE, 1],
    ],
  );
  const typeOf = async (id: string) =>
    (await call("GET", "/v1/catalog/gpu-types")).json.find(
      (type: { id: string }) => type.id === id,
    );
  const whole = await typeOf(A100);
  assert.equal((await typeOf(SMALL)).securePrice, whole.securePrice / 8);

  assert.ok((await call("GET", "/v1/openapi.json")).text.includes(SMALL));

  const [first, second, third] = [await create(SMALL), await create(SMALL), await create(LARGE)];
  const pods = [first, second, third].map(({ json }) => json);
  for (const pod of pods) await until(podsOf(service).reached, pod.id);
  assert.equal(pods[0].costPerHr, whole.securePrice / 8);
  for (const [type, text] of [
    [SMALL, /0 GPUs of the type .* MIG 1g\.10gb are free and 1 are asked for/],
    [A100, /it has no GPU of a type that is asked for/],
  ] as const) {
    const refused = await create(type);
    assert.notEqual(refused.status, 201);
    assert.match(refused.text, text);
  }
  const shown = await freehold([
    "exec",
    pods[2].id,
    "--data",
    dataFolder,
    "--",
    "nvidia-smi",
    "-L",
  ]);
  assert.match(shown.stdout, /^GPU 0: NVIDIA A100-SXM4-80GB .*\n {2}MIG 3g\.40gb .*MIG-large\)\n$/);

  const number = (await machine()).gpuDevices[0].number;
  assert.deepEqual((await states()).slice(1), ["MIG-1 in_use", "MIG-2 in_use", "MIG-l in_use"]);
  assert.match((await states())[0], /^GPU-.* split$/);
  assert.equal(number, 0);
  const list = await freehold(["gpus", "devices", "--data", dataFolder]);
  assert.match(list.stdout, /GPU 0 .* split\n.* {4}GPU 1 {2}MIG-1 {2}NVIDIA A100-SXM4-80GB MIG 1g/);
  assert.equal((await machine()).trouble, undefined);
  const refusedTest = await freehold(["gpus", "test", "MIG-1", "--data", dataFolder]);
  assert.match(refusedTest.stderr, /in MIG mode; a test needs a whole GPU/);
});

test("Pods on MIG devices follow the layout and the health of their GPU", async (t) => {
  const { service, states, create } = await migService(t);
  const { call } = service;
  const why = async (pod: { id: string }) => (await call("GET", `/v1/why/${pod.id}`)).json;
  const created = [await create(SMALL), await create(SMALL), await create(LARGE)];
  const pods = created.map(({ json }) => json);
  for (const pod of pods) await until(podsOf(service).reached, pod.id);
  await advance(service, "61m");
  await until(async () => (await states())[2] === "MIG-2 quarantined");
  assert.equal((await states())[1], "MIG-1 in_use");
  assert.equal((await why(pods[1])).code, "pod_gpu_unhealthy");
  assert.equal((await why(pods[0])).code, "pod_running");

  await advance(service, "65m");
  await until(async () => (await states()).includes("MIG-1 lost"));
  const lost = await why(pods[0]);
  assert.equal(lost.code, "pod_gpu_lost");
  assert.match(lost.sentence, /its GPU 1 cannot be read any more: its MIG device was deleted/);
  assert.equal((await why(pods[2])).code, "pod_running");

  await advance(service, "60m");
  await until(async () => /^GPU-.* quarantined$/.test((await states())[0]));
  await until(async () => (await states()).includes("MIG-l unhealthy"));
  assert.equal((await why(pods[2])).code, "pod_gpu_unhealthy");
  assert.match((await why(pods[2])).sentence, /GPU 0: it is in quarantine .*Xid 119/);
});
