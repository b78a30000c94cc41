// Tests of reading a machine's GPUs again and again.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import {
  A40,
  gpuDocument,
  LOST,
  listLine,
  REBOOT,
  RESET,
  type StandInGpu,
  writeNvidiaSmi,
  writeScenario,
} from "../../../test/fixtures/gpu/nvidia-smi.ts";
import { DriverUnavailable } from "../driver.ts";
import { type GpuReader, gpuReader } from "./gpu-reader.ts";
import { NO_GPUS } from "./nvidia-smi.ts";
import "./nvidia-smi-xml.ts";
import { type Run, runLocally } from "./run.ts";

const uuid = (index: number) => `GPU-00000000-0000-4000-8000-00000000000${index}`;
const a40 = (index: number) => {
  return { index, uuid: uuid(index), name: "NVIDIA A40", memoryMb: 46_068 };
};
const nothing = { ...NO_GPUS, gpuNumbers: {}, gpuAddresses: {}, gpuNodes: {}, gpuLinks: {} };
const healthy = {
  ...nothing,
  gpus: [a40(0), a40(1)],
  gpuDriver: "550.163.01",
  cudaVersion: "12.4",
  gpuNumbers: { [uuid(0)]: 0, [uuid(1)]: 1 },
  gpuAddresses: { [uuid(0)]: "0000:01:00", [uuid(1)]: "0000:02:00" },
};

/** All but the health of each GPU. */
const known = async (reader: GpuReader) => ({ ...(await reader.read()), readings: [] });

test("only a machine without nvidia-smi is one without GPUs", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-smi-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const env = { PATH: `${folder}:/usr/bin:/bin` };
  assert.deepEqual(await gpuReader(runLocally({ PATH: folder })).read(), nothing);
  const reader = gpuReader(runLocally(env));
  writeNvidiaSmi(folder, [A40(0), A40(1)]);
  assert.deepEqual(await known(reader), healthy);
  writeScenario(folder, { driver: "version_mismatch", gpus: [] });
  const mismatch = "Failed to initialize NVML: Driver/library version mismatch";
  const gpuTrouble = `nvidia-smi: ${mismatch}; NVML library version: 550.163`;
  assert.deepEqual(await gpuReader(runLocally(env)).read(), { ...nothing, gpuTrouble });
  // The last good reading stays, and none of its GPUs is given away.
  const stale = await reader.read();
  assert.deepEqual([stale.gpus, stale.gpuTrouble], [healthy.gpus, gpuTrouble]);
  assert.deepEqual(
    stale.gpuFaults.map(({ index, code }) => [index, code]),
    [
      [0, "stale"],
      [1, "stale"],
    ],
  );
  writeNvidiaSmi(folder, [A40(0), RESET(1), { index: 2, state: "no_handle" }]);
  const hidden = await reader.read();
  assert.deepEqual(hidden.gpus, healthy.gpus);
  assert.match(
    hidden.gpuTrouble!,
    /GPU2: 0000:03:00.0: GPU is lost. .*; GPU 1: .*"Reset"; reset the GPU/,
  );
  assert.deepEqual(
    hidden.gpuFaults.map(({ index, code }) => [index, code]),
    [[1, "recovery_action"]],
  );
});

test("a GPU that is missing without a word is trouble beside one with a fault", async () => {
  const answers = new Map([
    ["-q -x", gpuDocument({ gpus: [A40(0), RESET(1)] })],
    ["-L", [A40(0), RESET(1)].map(listLine).join("\n")],
  ]);
  const bus = "/sys/bus/pci/devices/0\n/sys/bus/pci/devices/1\n/sys/bus/pci/devices/2\n";
  const reading = await gpuReader(async (program, args) =>
    program === "sh" ? bus : (answers.get(args.join(" ")) ?? ""),
  ).read();
  assert.match(reading.gpuTrouble!, /lists 2 of the 3 .*; nvidia-smi: GPU 1: its driver reports/);
});

test("a driver that lost one GPU asks for a restart on all, and the others stay", async () => {
  const rows: [all: StandInGpu[], onBus: number, faults: string[], notices: number[]][] = [
    [[REBOOT(0), REBOOT(1)], 2, ["reboot_required", "reboot_required"], []],
    [[REBOOT(0), REBOOT(1)], 3, [], [0, 1]],
    [[REBOOT(0), LOST(1), REBOOT(2)], 3, [], [0, 2]],
    [[REBOOT(0), LOST(1), RESET(2)], 3, ["recovery_action"], [0]],
    [[A40(0), LOST(1), REBOOT(2)], 3, ["reboot_required"], []],
  ];
  for (const [all, onBus, faults, notices] of rows) {
    const bus = Array.from({ length: onBus }, (_, n) => `/sys/bus/pci/devices/${n}\n`).join("");
    const answer = listing(() => all);
    const reading = await gpuReader(async (program, args) =>
      program === "sh" ? bus : answer(program, args),
    ).read();
    const codes = reading.gpuFaults.map(({ code }) => code);
    const noticed = reading.gpuNotices.map(({ index }) => index);
    assert.deepEqual([codes, noticed], [faults, notices]);
    assert.equal(reading.gpus.length, all.filter(({ state }) => state === undefined).length);
  }
});

/** Answers as the program does that lists these GPUs. */
const listing = (gpus: () => readonly StandInGpu[]): Run => {
  return async (_, args) => {
    if (args.includes("-L")) return gpus().map(listLine).join("\n");
    return args.includes("-q") ? gpuDocument({ gpus: gpus() }) : "";
  };
};

test("a driver that counts anew does not renumber the GPUs", async () => {
  let listed = [A40(0), A40(1)];
  const reader = gpuReader(listing(() => listed));
  assert.deepEqual(await known(reader), healthy);
  listed = [{ index: 0, uuid: uuid(1) }];
  const { gpus, gpuNumbers } = await reader.read();
  assert.deepEqual([gpus, gpuNumbers], [[a40(1)], healthy.gpuNumbers]);
  // A card in its place is another GPU.
  listed = [
    { index: 0, uuid: uuid(7) },
    { index: 1, uuid: uuid(1) },
  ];
  const indices = (await reader.read()).gpus.map(({ index, uuid }) => [index, uuid]);
  assert.deepEqual(indices, [
    [2, uuid(7)],
    [1, uuid(1)],
  ]);
});

test("after a restart a failing driver leaves the recorded GPUs, marked stale", async () => {
  let answer = listing(() => [A40(0), A40(1)]);
  const failing: Run = async () => {
    throw new Error("exit 18");
  };
  const reader = gpuReader((...call) => answer(...call), { recall: async () => healthy });
  answer = failing;
  const { gpus, gpuFaults, gpuTrouble } = await reader.read();
  assert.deepEqual(
    [gpus, gpuFaults.map(({ code }) => code), gpuTrouble],
    [healthy.gpus, ["stale", "stale"], "nvidia-smi: exit 18"],
  );
  answer = listing(() => [{ index: 0, uuid: uuid(1) }]);
  assert.deepEqual((await reader.read()).gpus, [a40(1)]);
});

test("GPUs are gone once the driver says that it has none", async () => {
  let answer = listing(() => [A40(0), A40(1)]);
  const reader = gpuReader((...call) => answer(...call));
  await reader.read();
  answer = async (_, args) => {
    const stdout = "No devices were found\n";
    if (args.includes("-q")) throw Object.assign(new Error("code 6"), { stdout });
    return args.includes("-L") ? "No devices found.\n" : "";
  };
  const { gpus, gpuFaults, gpuTrouble, gpuNumbers } = await reader.read();
  assert.deepEqual([gpus, gpuFaults], [[], []]);
  assert.equal(gpuTrouble, "nvidia-smi: No devices were found");
  assert.deepEqual(gpuNumbers, healthy.gpuNumbers);
});

test("a late answer counts, and silence makes GPUs stale only after a while", async () => {
  const rows: [graceMs: number, codes: string[], isSilent: boolean][] = [
    [3_600_000, [], true],
    [0, ["stale", "stale"], false],
  ];
  for (const [graceMs, codes, isSilent] of rows) {
    const prompt = listing(() => [A40(0), A40(1)]);
    let answer = prompt;
    const reader = gpuReader((...call) => answer(...call), { answerMs: 500, graceMs });
    assert.deepEqual(await known(reader), healthy);
    const { promise, resolve } = Promise.withResolvers<void>();
    let probes = 0;
    answer = async (...call) => {
      if (call[0] === "sh") return "";
      if (call[1].includes("-q")) probes++;
      await promise;
      return prompt(...call);
    };
    const late = await reader.read();
    assert.deepEqual(late.gpus, healthy.gpus);
    assert.deepEqual(
      late.gpuFaults.map(({ code }) => code),
      codes,
    );
    assert.equal(late.isSilent ?? false, isSilent);
    resolve();
    assert.deepEqual(await known(reader), healthy);
    assert.equal(probes, 1);
  }
});

test("a machine that is not reached rejects the reading, and nothing else", async () => {
  const away: Run = () => Promise.reject(new DriverUnavailable("no route to it"));
  const recall = async () => ({
    ...NO_GPUS,
    gpus: [],
    gpuNumbers: {},
    gpuAddresses: {},
    gpuNodes: {},
    gpuLinks: {},
  });
  for (const options of [{}, { recall }]) {
    const reader = gpuReader(away, options as object);
    await assert.rejects(reader.read(), DriverUnavailable);
    // A rejection that is not handled would fail this test.
    await new Promise((resolve) => setImmediate(resolve));
  }
});
