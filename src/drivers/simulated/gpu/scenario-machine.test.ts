// Tests of the stand-in for the programs of a machine with GPUs: each case by its exit code and its text, and the
// reader of this machine's GPUs on it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../../test/fixtures/until.ts";
import { VirtualClock } from "../../../base/clock.ts";
import { gpuReader } from "../../machine/gpu-reader.ts";
import { followKernelLog } from "../../machine/kernel-log.ts";
import { nvidiaSmi } from "./nvidia-smi-program.ts";
import type { Scenario } from "./scenario.ts";
import { validateScenario } from "./scenario.ts";
import { scenarioMachine } from "./scenario-machine.ts";
import { scenarioAt } from "./simulated-gpus.ts";

const NOON = Date.parse("2026-11-28T12:00:00Z");
const three: Scenario = { gpus: [{ name: "NVIDIA A40", count: 3 }] };
const answerTo = (args: string, scenario: Scenario) =>
  nvidiaSmi(args.split(" ").filter(Boolean), scenarioAt(scenario, NOON, NOON));

test("each failure of the driver has its exit code and its text on standard output", () => {
  const rows: [driver: Scenario["driver"], args: string, code: number, text: RegExp][] = [
    ["not_loaded", "-L", 9, /couldn't communicate with the NVIDIA driver/],
    ["no_library", "-q -x", 12, /couldn't find libnvidia-ml\.so/],
    ["version_mismatch", "", 18, /version mismatch\nNVML library version: 570\.133\n$/],
    ["no_permission", "-q -x", 4, /Insufficient Permissions/],
    ["blocked", "-q -x", 17, /access blocked/],
    ["unknown_error", "-q -x", 255, /NVML: Unknown Error/],
    ["no_devices", "-q -x", 6, /^No devices were found\n$/],
    ["no_devices", "-L", 0, /^No devices found\.\n$/],
    ["half_document", "-q -x", 0, /^<\?xml[\s\S]*(?<!<\/nvidia_smi_log>\n)$/],
  ];
  for (const [driver, args, code, text] of rows) {
    const answer = answerTo(args, { ...three, driver: driver! })!;
    assert.equal(answer.exitCode, code, driver);
    assert.match(answer.stdout, text);
    assert.equal(answer.stderr, "");
  }
  assert.equal(answerTo("-L", { ...three, driver: "no_program" }), null);
  assert.equal(answerTo("-L", { ...three, driver: "slow" })!.afterMs, 25_000);
  assert.equal(answerTo("-L", { ...three, driver: "hangs" })!.afterMs, Number.POSITIVE_INFINITY);
});

test("each generation has its banner and its elements", () => {
  const rows: [version: string, banner: RegExp, document: RegExp, absent: RegExp][] = [
    ["535.54.03", /CUDA Version: 12\.2/, /v12\.dtd[\s\S]*<reset_required>No</, /recovery_action/],
    ["570.133.20", /CUDA Version: 12\.8/, /v13\.dtd[\s\S]*deprecated[\s\S]*>None</, /_repair_/],
    ["595.45.04", /Driver Version: 595/, /channel_repair_pending>No</, /gpu_reset_status/],
    ["610.43.02", /KMD Version: 610.*CUDA UMD Version: 13\.3/, /<cuda_umd_version>/, /<cuda_ver/],
  ];
  for (const [driverVersion, banner, document, absent] of rows) {
    const scenario = { ...three, driverVersion };
    assert.match(answerTo("", scenario)!.stdout, banner);
    const { stdout } = answerTo("-q -x", scenario)!;
    assert.match(stdout, document);
    assert.doesNotMatch(stdout, absent);
  }
});

test("the middle one of three GPUs fails in each way, and the reader keeps the others", async () => {
  type State = NonNullable<Scenario["gpus"][number]["state"]>;
  const rows: [state: State, code: number, line: RegExp, offered: number[]][] = [
    ["no_handle", 15, /^Unable to determine the device handle for GPU1: .*GPU is lost/, [0, 2]],
    ["no_handle_alone", 0, /^Unable to .* GPU1: .*Unknown Error\n<\?xml/, [0, 2]],
    ["lost", 0, /<total>GPU is lost</, [0, 2]],
    ["requires_reset", 0, /<total>GPU requires reset</, [0, 2]],
    ["hidden", 0, /<attached_gpus>2</, [0, 2]],
    ["removed", 0, /<attached_gpus>2</, [0, 1]],
  ];
  for (const [state, code, line, offered] of rows) {
    const a40 = { name: "NVIDIA A40" };
    const scenario: Scenario = { gpus: [a40, { ...a40, state }, a40] };
    const answer = answerTo("-q -x", scenario)!;
    assert.equal(answer.exitCode, code, state);
    assert.match(answer.stdout, line);
    const reading = await gpuReader(scenarioMachine(scenario, new VirtualClock(NOON)).run).read();
    const indices = reading.gpus.map(({ index }) => index);
    assert.deepEqual(indices, offered, state);
    assert.equal(reading.gpuTrouble === null, state === "removed", state);
  }
  const only: Scenario = { gpus: [{ name: "NVIDIA A40", state: "no_handle" }] };
  const { exitCode, stdout } = answerTo("-q -x", only)!;
  assert.equal(exitCode, 6);
  assert.match(stdout, /^Unable to .*GPU0: 0000:01:00\.0: Unknown Error\nNo devices were found/);
});

test("a GPU with the machine's memory is offered, and slices are listed below their GPU", async () => {
  const slice = { profile: "1g.10gb", uuid: "MIG-a", memoryMb: 9_728 };
  const scenario: Scenario = {
    gpus: [
      { name: "NVIDIA GB10", memoryMb: null },
      { name: "NVIDIA A100 80GB PCIe", slices: [slice, { ...slice, uuid: "MIG-b" }] },
    ],
  };
  const { gpus, gpuFaults } = await gpuReader(
    scenarioMachine(scenario, new VirtualClock(NOON)).run,
  ).read();
  const name = "NVIDIA A100 80GB PCIe MIG 1g.10gb";
  const slices = ["MIG-a", "MIG-b"].map((uuid, n) => ({
    index: n + 2,
    uuid,
    name,
    memoryMb: 9_728,
  }));
  assert.deepEqual([gpus[0]?.memoryMb, gpus.slice(1), gpuFaults], [0, slices, []]);
  const { stdout } = answerTo("-L", scenario)!;
  assert.match(stdout, /^ {2}MIG 1g\.10gb +Device {2}1: \(UUID: MIG-b\)$/m);
  const query = "--query-gpu=memory.total,utilization.gpu --format=csv,noheader";
  assert.equal(answerTo(query, scenario)!.stdout, "[N/A], 0 %\n46068 MiB, [N/A]\n");
});

test("MIG devices that cannot be offered say why, and a layout that is being changed loses nothing", async () => {
  const part = { profile: "1c.3g.40gb", memoryMb: 40_192, gpuInstance: 2 };
  const scenario: Scenario = {
    gpus: [
      { name: "NVIDIA A100-SXM4-80GB", values: { "mig_mode/current_mig": "Enabled" } },
      {
        name: "NVIDIA A100-SXM4-80GB",
        slices: [
          { ...part, uuid: "MIG-a" },
          { ...part, uuid: "MIG-b" },
          { profile: "2g.20gb", uuid: "MIG-GPU-c/3/0", memoryMb: 19_968 },
        ],
      },
    ],
    events: [{ at: "+1h", gpu: 1, slices: [] }],
  };
  const clock = new VirtualClock(NOON);
  const { run } = scenarioMachine(scenario, clock);
  let isTorn = false;
  const reader = gpuReader(async (program, args, ...rest) => {
    const text = await run(program, args, ...rest);
    return isTorn ? text.replace(/^ +MIG 2g.*\n/m, "") : text;
  });
  const { gpus, gpuFaults, gpuSlices } = await reader.read();
  assert.deepEqual(
    gpus.map(({ index, name }) => `${index} ${name}`),
    [
      "0 NVIDIA A100-SXM4-80GB",
      "2 NVIDIA A100-SXM4-80GB MIG 1c.3g.40gb",
      "3 NVIDIA A100-SXM4-80GB MIG 1c.3g.40gb",
      "4 NVIDIA A100-SXM4-80GB MIG 2g.20gb",
    ],
  );
  assert.deepEqual(
    gpuFaults.map(({ index, reason }) => `${index}: ${reason}`),
    [
      "0: it is in MIG mode and has no MIG devices",
      "2: it shares the memory of its GPU instance with another MIG device",
      "3: it shares the memory of its GPU instance with another MIG device",
    ],
  );
  assert.deepEqual(gpuSlices["MIG-b"], {
    gpu: gpuSlices["MIG-a"]!.gpu,
    profile: "1c.3g.40gb",
    gpuInstance: 2,
    computeInstance: 1,
  });
  isTorn = true;
  const torn = await reader.read();
  assert.deepEqual([torn.gpus, torn.gpuSlices], [gpus, gpuSlices]);
  assert.match(
    torn.gpuTrouble!,
    /GPU 1: its MIG devices in the list are not those in the document/,
  );
  isTorn = false;
  await clock.advance(3_600_000);
  const whole = await reader.read();
  assert.deepEqual(
    whole.gpus.map(({ index, name }) => `${index} ${name}`),
    ["0 NVIDIA A100-SXM4-80GB", "1 NVIDIA A100-SXM4-80GB"],
  );
  assert.deepEqual(whole.gpuSlices, {});
});

test("GPU 2 falls off at 12:05 and is back at 12:10, by the service's clock", async () => {
  const clock = new VirtualClock(NOON);
  const scenario: Scenario = {
    ...three,
    events: [
      { at: "12:10", gpu: 2, state: "ok" },
      { at: "12:05", gpu: 2, state: "fallen_off" },
      { at: "+20m", gpu: 0, xid: 31, detail: "pid=7, name=a,[b], Ch 8" },
      { at: "+30m", reboot: true },
    ],
  };
  const machine = scenarioMachine(scenario, clock);
  const reader = gpuReader(machine.run);
  const log = followKernelLog(
    machine.follow,
    "kmsg",
    () => clock.now(),
    () => {},
  );
  const offered = async () => (await reader.read()).gpus.map(({ index }) => index);
  const codes = () => log.read()!.lines.map(({ line }) => (line.kind === "xid" ? line.code : 0));
  assert.deepEqual([await offered(), codes()], [[0, 1, 2], []]);
  await clock.advance(5 * 60_000);
  assert.deepEqual(
    [await offered(), codes()],
    [
      [0, 1],
      [0, 79, 154, 154],
    ],
  );
  const { gpuTrouble, gpuNotices } = await reader.read();
  assert.equal(gpuTrouble, "nvidia-smi: GPU 2: GPU is lost");
  assert.deepEqual(
    gpuNotices.map(({ code }) => code),
    ["reboot_required", "reboot_required"],
  );
  await clock.advance(5 * 60_000);
  assert.deepEqual(await offered(), [0, 1, 2]);
  assert.equal((await reader.read()).gpuTrouble, null);
  await clock.advance(10 * 60_000);
  const last = log.read()!.lines.at(-1)!;
  assert.equal(last.at, NOON + 20 * 60_000);
  assert.partialDeepStrictEqual(last.line, { code: 31, detail: "pid=7, name=a,[b], Ch 8" });
  assert.ok(log.isOpen());
  const { boot } = log.read()!;
  await clock.advance(10 * 60_000);
  await until(async () => !log.isOpen());
  const next = followKernelLog(
    machine.follow,
    "kmsg",
    () => clock.now(),
    () => {},
  );
  assert.notEqual(next.read()!.boot, boot);
  next.close();
});

test("a restart without a GPU numbers the others anew, and one that falls off unbound has no Xid", async () => {
  const clock = new VirtualClock(NOON);
  const events: Scenario["events"] = [
    { at: "+1m", gpu: 0, state: "unbound" },
    { at: "+2m", reboot: true },
  ];
  const machine = scenarioMachine({ ...three, events }, clock);
  const log = followKernelLog(
    machine.follow,
    "kmsg",
    () => clock.now(),
    () => {},
  );
  await clock.advance(60_000);
  assert.deepEqual(
    log.read()!.lines.map(({ line }) => line.kind),
    ["fallen"],
  );
  await clock.advance(60_000);
  assert.match(await machine.run("nvidia-smi", ["-L"]), /^GPU 0: .*\nGPU 1: .*\n$/);
});

test("a scenario says what is wrong with it", () => {
  const events: Scenario["events"] = [
    { at: "noon", gpu: 3, state: "ok" },
    { at: "25:00", xid: 79 },
    { at: "+1m", detail: "x" },
  ];
  const errors = validateScenario({ ...three, events }).join("\n");
  for (const part of [
    /events\[0\]\.at" is "noon"/,
    /GPUs 0 to 2/,
    /events\[1\]" has xid/,
    /25:00/,
  ]) {
    assert.match(errors, part);
  }
  assert.match(errors, /events\[2\]\.detail/);
});
