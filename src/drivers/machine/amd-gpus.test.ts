// Tests of reading AMD GPUs: from amd-smi in each of its forms, from the kernel alone, and in trouble.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { VirtualClock } from "../../base/clock.ts";
import type { Scenario } from "../simulated/gpu/scenario.ts";
import { scenarioMachine } from "../simulated/gpu/scenario-machine.ts";
import { AMD_SMI_CALLS, parseAmdSmi } from "./amd-smi.ts";
import { AMD_SYSFS, parseAmdDevices } from "./amd-sysfs.ts";
import { gpuReader } from "./gpu-reader.ts";
import { gpuUseReader } from "./gpu-use.ts";
import { type Run, runLocally } from "./run.ts";

const MI300X = { name: "AMD Instinct MI300X", memoryMb: 196_592 };

const reading = (scenario: Scenario) =>
  gpuReader(scenarioMachine(scenario, new VirtualClock(0)).run).read();

test("AMD GPUs are read from amd-smi in both forms, and without it", async () => {
  for (const amdSmi of ["ok", "list", "missing"] as const) {
    const read = await reading({ amdSmi, gpus: [{ ...MI300X, count: 2 }] });
    assert.equal(read.gpuTrouble, null, amdSmi);
    assert.deepEqual(
      read.gpus.map(({ index, name, memoryMb }) => [index, name, memoryMb]),
      [0, 1].map((index) => [index, MI300X.name, MI300X.memoryMb]),
    );
    const [{ uuid = "" } = {}] = read.gpus;
    assert.match(uuid, /^GPU-[0-9a-f]{16}$/);
    assert.deepEqual(read.gpuNodes[uuid], { render: "/dev/dri/renderD128", group: 992 });
    assert.equal(read.gpuAddresses[uuid], "0000:01:00");
    assert.deepEqual([read.gpuDriver, read.cudaVersion], ["6.10.5", null]);
  }
});

test("an amd-smi that hangs is trouble of the AMD GPUs, and no other starts beside it", async () => {
  const scenario = { gpus: [{ name: "NVIDIA A40", memoryMb: 46_068 }, MI300X] };
  const machine = scenarioMachine(scenario, new VirtualClock(0));
  let hanging = 0;
  const run: Run = (program, args) => {
    if (program !== "amd-smi") return machine.run(program, args);
    hanging++;
    return new Promise(() => {});
  };
  const reader = gpuReader(run, { toolMs: 20 });
  for (let time = 0; time < 3; time++) {
    const read = await reader.read();
    assert.deepEqual(
      read.gpus.map(({ name }) => name),
      ["NVIDIA A40", MI300X.name],
    );
    assert.match(read.gpuTrouble ?? "", /^amd-smi does not answer within 0.02 s$/);
    assert.deepEqual(
      read.gpuFaults.map(({ index, code }) => [index, code]),
      [[1, "stale"]],
    );
  }
  assert.equal(hanging, AMD_SMI_CALLS.length);
});

test("values that are missing are those of the kernel, and its name is a fallback", async () => {
  const rows: [values: Record<string, string | null>, name: string][] = [
    [{ "asic/market_name": null, "vram/size": null }, "AMD Instinct MI300X"],
    [{ "asic/market_name": null, "sysfs/product_name": "Instinct MI210" }, "AMD Instinct MI210"],
    [
      { "asic/market_name": null, "sysfs/product_name": null, "sysfs/table_name": "AMD Radeon X" },
      "AMD Radeon X",
    ],
    [{ "asic/market_name": null, "sysfs/product_name": null }, "AMD GPU 0x74a1"],
  ];
  for (const [values, name] of rows) {
    const { gpus } = await reading({ gpus: [{ ...MI300X, values }] });
    assert.deepEqual([gpus[0]?.name, gpus[0]?.memoryMb], [name, MI300X.memoryMb]);
  }
});

test("what is wrong with an AMD GPU takes it out of placement, and the others stay", async () => {
  const other = { name: "AMD Instinct MI210", memoryMb: 65_520 };
  const rows: [
    first: Partial<Scenario["gpus"][number]>,
    codes: string[],
    trouble: RegExp | null,
  ][] = [
    [{ values: { "sysfs/current_compute_partition": "CPX" } }, ["partitioned"], null],
    [{ state: "timeout" }, [], /GPU 0: its driver amdgpu does not say how much memory it has/],
    [{ state: "unbound" }, [], /amdgpu does not have the AMD GPU at 0000:01:00; load it/],
    [{ memoryMb: 512 }, [], null],
  ];
  for (const [first, codes, trouble] of rows) {
    const read = await reading({ amdSmi: "missing", gpus: [{ ...MI300X, ...first }, other] });
    assert.deepEqual(
      read.gpuFaults.map(({ code }) => code),
      codes,
    );
    assert.ok(read.gpus.some(({ name }) => name === other.name));
    if (trouble) assert.match(read.gpuTrouble!, trouble);
    else assert.equal(read.gpuTrouble, null);
  }
});

test("an amd-smi that fails marks the GPUs stale, and its words are the trouble", async () => {
  for (const [amdSmi, words] of [
    ["not_loaded", /^amd-smi: ERROR:root:Drivers not loaded/],
  ] as const) {
    const { gpus, gpuFaults, gpuTrouble } = await reading({ amdSmi, gpus: [MI300X] });
    assert.equal(gpus.length, 1);
    assert.deepEqual(
      gpuFaults.map(({ code }) => code),
      ["stale"],
    );
    assert.match(gpuTrouble!, words);
  }
});

test("a GPU that its driver has lost is trouble, also one that the bus calls a display controller", async () => {
  const gpus = [{ name: "AMD Instinct MI210", memoryMb: 65_520, count: 2 }];
  const events = [{ at: "+1m", gpu: 1, state: "unbound" as const }];
  const clock = new VirtualClock(0);
  const reader = gpuReader(scenarioMachine({ gpus, events }, clock).run);
  assert.equal((await reader.read()).gpuTrouble, null);
  await clock.advance(60_000);
  const { gpus: left, gpuTrouble } = await reader.read();
  assert.deepEqual(
    left.map(({ index }) => index),
    [0],
  );
  assert.match(
    gpuTrouble ?? "",
    /^GPU 1: the driver amdgpu has it no longer \(0000:02:00\); see the/,
  );
  const never = await reading({ gpus: [{ ...gpus[0]!, count: 1, state: "unbound" }] });
  assert.equal(never.gpuTrouble, null);
});

test("errors of the memory and the load are read, beside GPUs of NVIDIA", async () => {
  const values = {
    "ecc/total_uncorrectable_count": "3",
    "sysfs/pending": "1",
    "sysfs/gpu_busy_percent": "37",
    "sysfs/mem_info_vram_used": `${98_296 * 1_048_576}`,
  };
  const gpus = [{ name: "NVIDIA A40" }, { ...MI300X, values }];
  const { run } = scenarioMachine({ gpus }, new VirtualClock(0));
  const reader = gpuReader(run);
  const read = await reader.read();
  assert.deepEqual(
    read.gpus.map(({ index, name }) => [index, name]),
    [
      [0, "NVIDIA A40"],
      [1, MI300X.name],
    ],
  );
  const { eccErrors, pageRetirementPending } = read.readings[1]!.readings;
  assert.deepEqual([eccErrors, pageRetirementPending, read.cudaVersion], [3, true, "12.8"]);
  assert.deepEqual(await gpuUseReader(run, reader.numbers)(), [
    { index: 0, gpuUtilPercent: 0, memoryUtilPercent: 0 },
    { index: 1, gpuUtilPercent: 37, memoryUtilPercent: 50 },
  ]);
});

test("a document in another form is no list of GPUs", () => {
  assert.throws(() => parseAmdSmi(['{"x": 1}', "[]", "[]"]), /no list of GPUs/);
  const list = '[{"gpu": 0, "bdf": "0000:C1:00.0", "uuid": "N/A"}]';
  const details =
    '{"gpu_data": [{"gpu": 0, "asic": {"market_name": "N/A"}, "vram": {"size": "N/A"}}]}';
  const [gpu] = parseAmdSmi([list, details, '[{"gpu": 0, "ecc": "N/A"}]']);
  assert.deepEqual(gpu, ["0000:c1:00", { name: null, memoryMb: null, uncorrectable: null }]);
});

test("the script reads what the kernel shows", async (t) => {
  const root = mkdtempSync(path.join(tmpdir(), "freehold-amd-"));
  t.after(() => rmSync(root, { recursive: true }));
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  const bus = "sys/bus/pci/devices";
  mkdirSync(path.join(root, "drivers/amdgpu"), { recursive: true });
  const device = (address: string, files: Record<string, string>, isDriven: boolean) => {
    for (const [name, text] of Object.entries(files)) write(`${bus}/${address}/${name}`, text);
    if (!isDriven) return;
    symlinkSync(path.join(root, "drivers/amdgpu"), path.join(root, bus, address, "driver"));
  };
  const amd = { vendor: "0x1002\n", class: "0x120000\n" };
  const memory = { mem_info_vram_total: "206141652992\n", mem_info_vram_used: "300000000\n" };
  const identity = { unique_id: "4c2b9f3e8a7d6150\n", device: "0x74a1\n", revision: "0x00\n" };
  const ras = {
    "ras/umc_err_count": "ue: 2\nce: 5\n",
    "ras/gfx_err_count": "ue: 1\nce: 0\n",
    "ras/gpu_vram_bad_pages": "0x00000001 : 0x00001000 : R\n0x00000002 : 0x00001000 : P\n",
  };
  device(
    "0000:03:00.0",
    { ...amd, ...memory, ...identity, ...ras, "drm/renderD129/dev": "x" },
    true,
  );
  device("0000:04:00.0", amd, false);
  device("0000:07:00.0", { ...amd, class: "0x030000\n" }, false);
  device("0000:08:00.0", { ...amd, class: "0x040300\n" }, false);
  device("0000:05:00.0", { ...amd, vendor: "0x10de\n" }, false);
  device("0000:06:00.0", { ...amd, "drm/renderD130/dev": "x" }, true);
  write("sys/class/kfd/kfd/topology/nodes/1/properties", "simd_count 4\ndrm_render_minor 129\n");
  write("sys/module/amdgpu/version", "6.10.5\n");
  write("usr/share/libdrm/amdgpu.ids", "# List\n1.0.0\n74A1,\t00,\tAMD Instinct MI300X\n");
  const script = AMD_SYSFS.replaceAll("/sys/", `${root}/sys/`).replaceAll("/usr/", `${root}/usr/`);
  const { devices, driver, undriven } = parseAmdDevices(await runLocally()("sh", ["-c", script]));
  assert.deepEqual([driver, devices.length], ["6.10.5", 1]);
  assert.deepEqual(undriven, [
    { pci: "0000:04:00", isAccelerator: true },
    { pci: "0000:07:00", isAccelerator: false },
  ]);
  assert.partialDeepStrictEqual(devices[0], {
    ...{ pci: "0000:03:00", render: "renderD129", uniqueId: "4c2b9f3e8a7d6150", product: "" },
    ...{ memoryBytes: 206_141_652_992, partition: null, uncorrectable: 3 },
    ...{ retiredPages: 1, pendingPages: 1, tableName: "AMD Instinct MI300X", device: "0x74a1" },
  });
});
