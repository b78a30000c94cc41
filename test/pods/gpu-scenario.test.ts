// A simulated machine whose GPUs follow freehold.gpus.json: one falls off the bus and comes back.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { parseScenario } from "../../src/app/machine/simulated/gpu-scenario-file.ts";
import { freehold } from "../cli/command.ts";
import { newDataFolder } from "../fixtures/service/service.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "./fixture.ts";

test("GPUs of a scenario fall off and come back, and a Pod's nvidia-smi shows it", async (t) => {
  const dataFolder = newDataFolder();
  const scenario = {
    gpus: [{ name: "NVIDIA A40", count: 2, memoryMb: 46_068 }],
    events: [
      { at: "+1h", gpu: 1, state: "fallen_off" },
      { at: "+70m", gpu: 1, state: "ok" },
    ],
  };
  writeFileSync(path.join(dataFolder, "freehold.gpus.json"), JSON.stringify(scenario));
  const service = await simulatedService(t, {
    replicas: null,
    dataFolder,
    env: { ...virtual.env, FREEHOLD_GPU_CHECKS: '{"returnMinutes": 30}' },
  });
  const machine = async () => (await service.call("GET", "/v1/machines")).json[0];
  const types = (await machine()).gpus.map(({ gpuTypeId, count }: Record<string, unknown>) => [
    gpuTypeId,
    count,
  ]);
  assert.deepEqual(types, [["NVIDIA A40", 2]]);
  const { json: pod } = await service.call("POST", "/v1/pods", {
    driver: "simulated",
    imageName: "i",
    gpuTypeIds: ["NVIDIA A40"],
    gpuCount: 2,
  });
  await until(podsOf(service).reached, pod.id);
  const states = async () =>
    (await machine()).gpuDevices.map(({ state }: { state: string }) => state);
  // Not later: the error of a minute ago may be that of another workload.
  await advance(service, "1h");
  await until(async () => (await states()).join() === "in_use,lost");
  // The kernel log is read beside the driver.
  const { code, sentence } = await until(async () => {
    const { json } = await service.call("GET", `/v1/why/${pod.id}`);
    return json.sentence.includes("Xid 79") ? json : null;
  });
  assert.equal(code, "pod_gpu_lost");
  assert.match(sentence, /its GPU 1 cannot be read any more: nvidia-smi: GPU 1: GPU is lost\./);
  await advance(service, "10m");
  await until(async () => (await states()).join() === "in_use,quarantined");
  await until(async () => {
    await advance(service, "10m");
    return (await states()).join() === "in_use,in_use";
  });
});

test("a test of a GPU keeps new work away, and only a GPU that passes goes back", async (t) => {
  const dataFolder = newDataFolder();
  const scenario = {
    gpus: [{ name: "NVIDIA A40", count: 2 }],
    events: [
      { at: "+10m", gpu: 0, test: 802 },
      { at: "+20m", gpu: 0, test: 719 },
      { at: "+40m", gpu: 0, test: "pass" },
    ],
  };
  writeFileSync(path.join(dataFolder, "freehold.gpus.json"), JSON.stringify(scenario));
  const checks = { returnMinutes: 10, returnTests: 2 };
  const service = await simulatedService(t, {
    replicas: null,
    dataFolder,
    env: { ...virtual.env, FREEHOLD_GPU_CHECKS: JSON.stringify(checks) },
  });
  const machine = async () => (await service.call("GET", "/v1/machines")).json[0];
  const { id, gpuDevices } = await machine();
  const [{ uuid }] = gpuDevices;
  const gpu = async () => (await machine()).gpuDevices[0];
  const tested = async () => {
    const { code, stdout } = await freehold(["gpus", "test", uuid, "--data", service.dataFolder]);
    return [code, stdout.trim().split("  ").at(-1)];
  };
  const passed = "test passed: 4096 MB of its memory and a program on it gave the right results";
  assert.deepEqual(await tested(), [0, `free; ${passed}`]);
  await advance(service, "11m");
  const [code, words] = await tested();
  assert.deepEqual([code, (await gpu()).state], [6, "free"]);
  assert.match(words as string, /^free; test not run: cuInit answered 802 .*: the fabric manager/);
  await advance(service, "10m");
  assert.match(
    (await tested())[1] as string,
    /^quarantined: its test failed: cuCtxSynchronize answered 719 /,
  );
  assert.equal((await gpu()).quarantine.code, "test_failed");
  const refused = await service.call("POST", "/v1/pods", {
    driver: "simulated",
    imageName: "i",
    gpuTypeIds: ["NVIDIA A40"],
    gpuCount: 2,
  });
  assert.match(refused.text, /its test failed/);
  await until(async () => {
    await advance(service, "5m");
    return (await gpu()).state === "free";
  });
  assert.equal((await gpu()).test.outcome, "passed");
  const pod = { driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"], gpuCount: 2 };
  assert.equal((await service.call("POST", "/v1/pods", pod)).status, 201);
  for (const [name, why] of [
    [uuid, /uses; a test needs a GPU that nothing uses/],
    ["GPU-x", /which the machine does not have/],
  ] as const) {
    const { status, text } = await service.call("PATCH", `/v1/machines/${id}`, {
      testGpus: [name],
    });
    assert.equal(status, 400);
    assert.match(text, why);
  }
});

test("a GPU of AMD is back after two passed tests, and one that cannot be tested stays", async (t) => {
  const dataFolder = newDataFolder();
  const scenario = {
    gpus: [{ name: "AMD Instinct MI300X", memoryMb: 196_592, count: 2, test: "memory_fault" }],
    events: [
      { at: "+4m", gpu: 0, test: "pass" },
      { at: "+4m", gpu: 1, test: "no_library" },
    ],
  };
  writeFileSync(path.join(dataFolder, "freehold.gpus.json"), JSON.stringify(scenario));
  const checks = { returnMinutes: 10, returnTests: 2 };
  const service = await simulatedService(t, {
    replicas: null,
    dataFolder,
    env: { ...virtual.env, FREEHOLD_GPU_CHECKS: JSON.stringify(checks) },
  });
  const gpus = async () => (await service.call("GET", "/v1/machines")).json[0].gpuDevices;
  for (const { uuid } of await gpus()) {
    const command = ["gpus", "test", uuid, "--data", service.dataFolder];
    const { code, stdout } = await freehold(command);
    assert.equal(code, 6);
    assert.match(
      stdout,
      /quarantined: its test failed: a program on it failed: Memory access fault/,
    );
  }
  await until(async () => {
    await advance(service, "5m");
    return (await gpus())[0].state === "free";
  });
  const [, other] = await gpus();
  assert.equal(other.state, "quarantined");
  assert.match(other.test.text, /^the machine lacks ROCm's HIP runtime/);
});

test("a scenario file with errors names each field", () => {
  const rows: [text: string, error: RegExp][] = [
    ["{", /it is no JSON/],
    ["{}", /"gpus" is missing/],
    ['{"gpus": [], "x": 1}', /"x" is not known; there are driverVersion,/],
    ['{"gpus": [{"name": "NVIDIA A40", "state": "dead"}]}', /"gpus\[0\]\.state"/],
    ['{"gpus": [], "events": [{"at": "soon"}]}', /"events\[0\]\.at" is "soon"; it takes/],
  ];
  for (const [text, error] of rows) {
    const errors = parseScenario(text);
    assert.ok(Array.isArray(errors), text);
    assert.match(errors.join("\n"), error);
  }
});
