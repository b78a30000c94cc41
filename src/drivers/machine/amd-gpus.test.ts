// Tests of reading AMD GPUs: from amd-smi in each of its forms, from the kernel alone, and in trouble.

import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../base/clock.ts";
import type { Scenario } from "../simulated/gpu/scenario.ts";
import { scenarioMachine } from "../simulated/gpu/scenario-machine.ts";
import { AMD_SMI_CALLS, parseAmdSmi } from "./amd-smi.ts";
import { AMD_SYSFS } from "./amd-sysfs.ts";
import { gpuReader } from "./gpu-reader.ts";
import "./nvidia-smi-xml.ts";
import { gpuUseReader } from "./load/gpu-use.ts";
import type { Run } from "./run.ts";

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
  const reader = gpuReader(run, { amd: { toolMs: 20 } });
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

test("a driver in trouble leaves the GPUs of the other maker as they are", async () => {
  const scenario = { gpus: [{ name: "NVIDIA A40", memoryMb: 46_068 }, MI300X] };
  const machine = scenarioMachine(scenario, new VirtualClock(0));
  const neverAnswer = () => new Promise<never>(() => {});
  const fail = async () => {
    throw new Error("exit 18");
  };
  const rows: [program: string, how: typeof neverAnswer, stale: number, trouble: RegExp][] = [
    ["nvidia-smi", neverAnswer, 0, /^nvidia-smi does not answer within 1 s$/],
    ["nvidia-smi", fail, 0, /^nvidia-smi: exit 18$/],
    ["amd-smi", neverAnswer, 1, /^amd-smi does not answer within 1 s$/],
    ["amd-smi", fail, 1, /^amd-smi: exit 18$/],
    ["sh", neverAnswer, 1, /^the AMD GPUs do not answer in \/sys within 1 s$/],
    ["sh", fail, 1, /^the AMD GPUs cannot be read: exit 18$/],
  ];
  const readBoth = async ([program, how, stale, trouble]: (typeof rows)[number]) => {
    let isBroken = false;
    const run: Run = (name, args, ...more) => {
      const isMeant = name === program && (name !== "sh" || args[1] === AMD_SYSFS);
      return isBroken && isMeant ? how() : machine.run(name, args, ...more);
    };
    const bounds = { answerMs: 1_000, amd: { kernelMs: 1_000, toolMs: 1_000 } };
    const patient = gpuReader(run, bounds);
    const strict = gpuReader(run, { ...bounds, graceMs: 0 });
    const healthy = await patient.read();
    await strict.read();
    isBroken = true;
    const [silent, read] = await Promise.all([patient.read(), strict.read()]);
    assert.deepEqual(read.gpus, healthy.gpus, program);
    assert.match(read.gpuTrouble ?? "", trouble);
    assert.deepEqual(
      read.gpuFaults.map(({ index, code }) => [index, code]),
      [[stale, "stale"]],
    );
    if (how === fail) return;
    assert.deepEqual([silent.isSilent, silent.gpuTrouble], [true, null]);
    assert.deepEqual([silent.gpus, silent.gpuFaults], [healthy.gpus, []]);
    assert.deepEqual(
      silent.readings.map(({ index }) => index),
      [1 - stale],
    );
  };
  await Promise.all(rows.map(readBoth));
});

test("an amd-smi that fails leaves names and counters as it said them before, also after a restart", async () => {
  const values = { "sysfs/product_name": null, "ecc/total_uncorrectable_count": "3" };
  const events = [{ at: "+1m", amdSmi: "not_loaded" as const }];
  const clock = new VirtualClock(0);
  const { run } = scenarioMachine({ gpus: [{ ...MI300X, values }], events }, clock);
  const reader = gpuReader(run);
  const healthy = await reader.read();
  await clock.advance(60_000);
  const restarted = gpuReader(run, { recall: async () => ({ ...healthy, readings: [] }) });
  for (const [each, errors] of [
    [reader, 3],
    [restarted, null],
  ] as const) {
    const read = await each.read();
    assert.deepEqual(read.gpus, healthy.gpus);
    assert.deepEqual(
      read.readings.map(({ readings }) => readings.eccErrors),
      [errors],
    );
    assert.deepEqual(
      read.gpuFaults.map(({ code }) => code),
      ["stale"],
    );
  }
});

test("an amd-smi that hangs is ended, and then asked again", async () => {
  const machine = scenarioMachine({ gpus: [MI300X] }, new VirtualClock(0));
  let ended = 0;
  const run: Run = (program, args, input, stopped) => {
    if (program !== "amd-smi" || ended === AMD_SMI_CALLS.length) {
      return machine.run(program, args, input, stopped);
    }
    return new Promise((_, reject) => {
      stopped?.addEventListener("abort", () => {
        ended++;
        reject(new Error("ended with code null"));
      });
    });
  };
  const reader = gpuReader(run, { amd: { toolMs: 600_000, toolEndMs: 20 } });
  const read = await reader.read();
  assert.match(read.gpuTrouble ?? "", /^amd-smi does not answer within 600 s$/);
  assert.equal((await reader.read()).gpuTrouble, null);
});

test("GPUs of NVIDIA that are listed late get no number of an AMD GPU", async () => {
  const scenario = { gpus: [{ name: "NVIDIA A40", memoryMb: 46_068 }, MI300X] };
  const machine = scenarioMachine(scenario, new VirtualClock(0));
  const { promise: listed, resolve: list } = Promise.withResolvers<void>();
  const run: Run = async (program, ...more) => {
    if (program === "nvidia-smi") await listed;
    return machine.run(program, ...more);
  };
  const reader = gpuReader(run, { answerMs: 1_000 });
  const numbers = ({ gpus }: Awaited<ReturnType<typeof reader.read>>) =>
    gpus.map(({ index, name }) => [index, name]);
  assert.deepEqual(numbers(await reader.read()), [[0, MI300X.name]]);
  list();
  assert.deepEqual(numbers(await reader.read()), [
    [1, "NVIDIA A40"],
    [0, MI300X.name],
  ]);
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
    "sysfs/temp1_input": "64000",
    "sysfs/power1_average": "310000000",
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
    {
      index: 0,
      gpuUtilPercent: 0,
      memoryUtilPercent: 0,
      temperatureC: 41,
      powerWatts: 25,
      clockMhz: 210,
    },
    {
      index: 1,
      gpuUtilPercent: 37,
      memoryUtilPercent: 50,
      temperatureC: 64,
      powerWatts: 310,
      clockMhz: null,
    },
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
