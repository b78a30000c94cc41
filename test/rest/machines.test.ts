// Tests of what this machine offers, observed and declared.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../../src/config/config.ts";
import { startService } from "../fixtures/service/service.ts";

const machine = JSON.stringify({
  vcpus: 16,
  memoryInGb: 64,
  diskInGb: 500,
  dataCenterId: "EU-RO-1",
  cloudType: "COMMUNITY",
  downloadMbps: 900,
});

test("a machine on loopback offers simulated GPUs of every type", async (t) => {
  const service = await startService(t);
  const { json } = await service.call("GET", "/v1/machines");
  const types = (await service.call("GET", "/v1/catalog/gpu-types")).json;
  for (const each of json) {
    assert.ok(each.online && each.vcpuCount > 0 && each.memoryInGb > 0 && each.diskInGb > 0);
    assert.equal(each.gpus.length, types.length);
    assert.ok(
      each.gpus.every((gpu: { count: number; virtual: boolean }) => {
        return !gpu.virtual || gpu.count === 8;
      }),
    );
    assert.ok(!("dataCenterId" in each));
  }
  assert.equal(json.length, service.replicas.length);
});

test("a machine offers what it declares", async (t) => {
  const env = { FREEHOLD_MACHINE: machine, FREEHOLD_GPUS: '{"Tesla T4": 3}' };
  const service = await startService(t, { env });
  const [found] = (await service.call("GET", "/v1/machines")).json;
  assert.partialDeepStrictEqual(found, {
    vcpuCount: 16,
    memoryInGb: 64,
    diskInGb: 500,
    dataCenterId: "EU-RO-1",
    countryCode: "RO",
    location: "Romania",
    cloudType: "COMMUNITY",
    maxDownloadSpeedMbps: 900,
  });
  const t4 = found.gpus.filter((gpu: { virtual: boolean }) => gpu.virtual);
  assert.deepEqual(t4, [
    { gpuTypeId: "Tesla T4", count: 3, free: 3, memoryInGb: 16, virtual: true },
  ]);
});

test("thresholds of GPU checks replace the usual ones by name", () => {
  const read = (text: string) =>
    readConfig({}, { FREEHOLD_GPU_CHECKS: text }, "/nowhere").gpuLimits;
  const limits = read('{"lastingMinutes": 10, "quarantine": ["pcie_width"]}');
  assert.partialDeepStrictEqual(limits, { lastingMinutes: 10, quarantine: ["pcie_width"] });
  assert.equal(limits.remappedRows, 512);
  const rows: [text: string, error: RegExp][] = [
    ['{"lastMinutes": 10}', /FREEHOLD_GPU_CHECKS: "lastMinutes" is not known; there are last/],
    ['{"eccErrors": 0}', /FREEHOLD_GPU_CHECKS: "eccErrors" must be/],
    ['{"quarantine": ["link"]}', /FREEHOLD_GPU_CHECKS: .*must be one of/],
    ["10", /FREEHOLD_GPU_CHECKS: .*object/],
  ];
  for (const [text, error] of rows) assert.throws(() => read(text), error);
});

test("an invalid declaration is rejected with every error", () => {
  const read = (env: Record<string, string>) => () => readConfig({}, env, "/nowhere");
  const wrong = '{"vcpu": 2, "cloudType": "BIG", "diskInGb": 0}';
  assert.throws(read({ FREEHOLD_MACHINE: wrong }), (error: Error) => {
    for (const each of [
      /"vcpu" is not known/,
      /"cloudType" must be one of/,
      /"diskInGb" must be/,
    ]) {
      assert.match(error.message, each);
    }
    return true;
  });
  assert.throws(read({ FREEHOLD_MACHINE: "big" }), /FREEHOLD_MACHINE: The body must be/);
  assert.throws(
    read({ FREEHOLD_MACHINE: '{"dataCenterId": "EU-RO-2"}' }),
    /did you mean "EU-RO-1"/,
  );
  assert.throws(read({ FREEHOLD_GPUS: "many" }), /takes a number of each type/);
  assert.throws(read({ FREEHOLD_GPUS: '{"NVIDIA A41": 1}' }), /did you mean "NVIDIA A40"/);
});
