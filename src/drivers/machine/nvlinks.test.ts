import assert from "node:assert/strict";
import { test } from "node:test";
import { nvidiaSmi } from "../simulated/gpu/nvidia-smi-program.ts";
import type { Scenario, SimulatedNvlinks } from "../simulated/gpu/scenario.ts";
import { scenarioAt } from "../simulated/gpu/simulated-gpus.ts";
import { gpuReader } from "./gpu-reader.ts";
import type { Gpus } from "./nvidia-smi.ts";
import { parseNvlinks } from "./nvlinks.ts";
import type { Run } from "./run.ts";

test("what drivers print of the links of a GPU", () => {
  const status = `GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-abcdefab-0)
\t Link 0: 26.562 GB/s
\t Link 1: 26.562 GB/s
GPU 1: NVIDIA B200 (UUID: GPU-1)
NVML: Unable to retrieve NVLink information as all links are inActive
GPU 2: NVIDIA A100-SXM4-40GB (UUID: GPU-2)
         Link 0: 25 GB/s
         Link 1: <inactive>
GPU 3: NVIDIA RTX A4000 (UUID: GPU-3) Device does not have or support Nvlink
GPU 4: NVIDIA A40 (UUID: GPU-4)
`;
  const errors = `GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-abcdefab-0)
\t Link 0: Replay Errors: 0
\t Link 0: Recovery Errors: 2
\t Link 0: CRC Errors: 5

\t Link 1: Replay Errors: 7
\t Link 1: Recovery Errors: 0
\t Link 1: CRC Errors: 0
GPU 1: NVIDIA B200 (UUID: GPU-1)
GPU 2: NVIDIA A100-SXM4-40GB (UUID: GPU-2)
\t Link 0: Malformed packet Errors: 0
\t Link 0: Link recovery failed events: 1
\t Link 0: Total link recovery events: 3
\t Link 0: FEC Errors - 0: 36140749276
`;
  const read = [...parseNvlinks(status, errors)].map(
    ([uuid, { active, inactive, errors: all }]) => [
      uuid,
      active,
      inactive,
      [...all].map(([link, { replay, recovery, crc }]) => [link, replay, recovery, crc]),
    ],
  );
  assert.deepEqual(read, [
    [
      "GPU-abcdefab-0",
      [0, 1],
      [],
      [
        [0, 0, 2, 5],
        [1, 7, 0, 0],
      ],
    ],
    ["GPU-1", [], [], []],
    ["GPU-2", [0], [1], [[0, 0, 3, 0]]],
  ]);
  assert.equal(parseNvlinks("", "").size, 0);
});

test("links that are down and errors that rise are readings of their GPU", async () => {
  const good = Array.from({ length: 3 }, (): SimulatedNvlinks[number] => ({}));
  const machine = (nvlinks: SimulatedNvlinks, driverVersion = "570.133.20"): Scenario => {
    const gpu = { name: "NVIDIA H100 80GB HBM3", nvlinks: good };
    return {
      driverVersion,
      gpus: [
        { ...gpu, nvlinks },
        { ...gpu, count: 3 },
      ],
    };
  };
  let scenario = machine(good);
  let calls = 0;
  let isHanging = false;
  const reader = gpuReader(async (program, args) => {
    if (program !== "nvidia-smi") throw Object.assign(new Error("none"), { code: "ENOENT" });
    if (args[0] === "nvlink") calls++;
    if (args[0] === "nvlink" && isHanging) throw Object.assign(new Error("fails"), { code: 255 });
    return nvidiaSmi(args, scenarioAt(scenario, 0, 0))!.stdout;
  });
  const read = async () => {
    const { readings, gpuTrouble } = await reader.read();
    assert.equal(gpuTrouble, null);
    const [first, ...others] = readings.map(({ readings: each }) => each);
    for (const other of others) assert.equal(other.nvlinkTrouble ?? other.nvlinkErrors, null);
    return [first!.nvlinkTrouble, first!.nvlinkErrors];
  };
  assert.deepEqual(await read(), [null, null]);
  scenario = machine([{}, { inactive: true }, { replay: 2 }]);
  const errors = "NVLink 2 had 2 replays";
  assert.deepEqual(await read(), ["its NVLink 1 of 3 is down", errors]);
  scenario = machine(good.map(() => ({ inactive: true })));
  assert.deepEqual(await read(), ["all its NVLinks are down that were up before", errors]);
  scenario = machine(good, "610.43.02");
  assert.deepEqual(await read(), [null, errors]);
  scenario = machine([{}, {}, { recovery: 1 }], "610.43.02");
  assert.deepEqual(await read(), [null, "NVLink 2 had 1 recovery"]);
  isHanging = true;
  assert.deepEqual(await read(), [null, null]);
  const before = calls;
  scenario = { gpus: [{ name: "NVIDIA A40", count: 1 }] };
  await read();
  assert.equal(calls, before, "one GPU has no links to others");
  isHanging = false;
  scenario = { gpus: [{ name: "NVIDIA A40", count: 2 }] };
  for (let n = 0; n < 3; n++) await read();
  assert.equal(calls, before + 1, "GPUs without links are not read again and again");
  scenario = machine(good);
  await read();
  assert.equal(calls, before + 3);
});

test("a link that was up before a restart is down after it, on cards of which some have a bridge", async () => {
  const card = { name: "NVIDIA A40" };
  const bridged = { ...card, nvlinks: [{}, {}] };
  let scenario: Scenario = { gpus: [bridged, bridged, card] };
  const run: Run = async (program, args) => {
    if (program !== "nvidia-smi") throw Object.assign(new Error("none"), { code: "ENOENT" });
    return nvidiaSmi(args, scenarioAt(scenario, 0, 0))!.stdout;
  };
  const troubles = ({ readings }: Gpus) => readings.map((each) => each.readings.nvlinkTrouble);
  const first = await gpuReader(run).read();
  assert.deepEqual(troubles(first), [null, null, null]);
  scenario = { gpus: [{ ...card, nvlinks: [{}, { inactive: true }] }, bridged, card] };
  const restarted = gpuReader(run, { recall: async () => ({ ...first, readings: [] }) });
  assert.deepEqual(troubles(await restarted.read()), ["its NVLink 1 of 2 is down", null, null]);
  assert.deepEqual(troubles(await gpuReader(run).read()), [null, null, null]);
  const { uuid } = first.readings[0]!;
  const forgetful = gpuReader(run, { recall: async () => ({ ...first, readings: [] }) });
  const anew = await forgetful.read([uuid]);
  assert.deepEqual([troubles(anew), anew.gpuLinks[uuid]], [[null, null, null], [0]]);
});
