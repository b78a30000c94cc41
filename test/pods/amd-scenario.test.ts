// A simulated machine with GPUs of AMD, whose driver logs errors of a program and of the hardware.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { newDataFolder } from "../fixtures/service/service.ts";
import { advance, virtual } from "../fixtures/service/virtual-service.ts";
import { until } from "../fixtures/until.ts";
import { podsOf, simulatedService } from "./fixture.ts";

test("an error of a Pod's program is its event, and one of the hardware is a quarantine", async (t) => {
  const dataFolder = newDataFolder();
  const second = "amdgpu 0000:02:00.0: amdgpu:";
  const fault = "[gfxhub0] no-retry page fault (src_id:0 ring:24 vmid:8 pasid:32769)";
  const scenario = {
    gpus: [{ name: "AMD Instinct MI300X", count: 2, memoryMb: 196_592 }],
    events: [
      { at: "+1h", log: `${second} ${fault}` },
      { at: "+2h", log: `${second} 1 uncorrectable hardware errors detected in gfx block` },
    ],
  };
  writeFileSync(path.join(dataFolder, "freehold.gpus.json"), JSON.stringify(scenario));
  const service = await simulatedService(t, { replicas: null, dataFolder, env: virtual.env });
  const { json: pod } = await service.call("POST", "/v1/pods", {
    driver: "simulated",
    imageName: "i",
    gpuTypeIds: ["AMD Instinct MI300X OAM"],
    gpuCount: 2,
  });
  await until(podsOf(service).reached, pod.id);
  const why = async () => (await service.call("GET", `/v1/why/${pod.id}`)).text;
  const states = async () =>
    (await service.call("GET", "/v1/machines")).json[0].gpuDevices.map(
      ({ state }: { state: string }) => state,
    );
  // An error that is read later than a minute after it has no workload.
  await advance(service, "60m");
  await until(async () => /reported an error at \S+: a memory page fault/.test(await why()));
  assert.deepEqual(await states(), ["in_use", "in_use"]);
  await advance(service, "60m");
  await until(async () => (await states()).join() === "in_use,quarantined");
  const { code, sentence } = (await service.call("GET", `/v1/why/${pod.id}`)).json;
  assert.equal(code, "pod_gpu_unhealthy");
  assert.match(sentence, /GPU 1: .*an uncorrectable error of its hardware; reset the GPU/);
});
