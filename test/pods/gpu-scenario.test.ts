// A simulated machine whose GPUs follow freehold.gpus.json: one falls off the bus and comes back.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { parseScenario } from "../../src/app/machine/simulated/gpu-scenario-file.ts";
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
    ...{ replicas: null, dataFolder },
    env: { ...virtual.env, FREEHOLD_GPU_CHECKS: '{"returnMinutes": 30}' },
  });
  const machine = async () => (await service.call("GET", "/v1/machines")).json[0];
  const types = (await machine()).gpus.map(({ gpuTypeId, count }: Record<string, unknown>) => [
    gpuTypeId,
    count,
  ]);
  assert.deepEqual(types, [["NVIDIA A40", 2]]);
  const { json: pod } = await service.call("POST", "/v1/pods", {
    ...{ driver: "simulated", imageName: "i", gpuTypeIds: ["NVIDIA A40"], gpuCount: 2 },
  });
  await until(podsOf(service).reached, pod.id);
  const states = async () =>
    (await machine()).gpuDevices.map(({ state }: { state: string }) => state);
  await advance(service, "61m");
  await until(async () => (await states()).join() === "in_use,lost");
  const { code, sentence } = (await service.call("GET", `/v1/why/${pod.id}`)).json;
  assert.equal(code, "pod_gpu_lost");
  assert.match(
    sentence,
    /its GPU 1 cannot be read any more: nvidia-smi: GPU 1: GPU is lost\..*Xid 79/,
  );
  await advance(service, "10m");
  await until(async () => (await states()).join() === "in_use,quarantined");
  await until(async () => {
    await advance(service, "10m");
    return (await states()).join() === "in_use,in_use";
  });
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
