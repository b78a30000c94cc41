// Tests of setting the MIG layout of a GPU, on the stand-in for `nvidia-smi`: what is set, and what each refusal leaves.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { writeScenario } from "../../../../test/fixtures/gpu/nvidia-smi.ts";
import { VirtualClock } from "../../../base/clock.ts";
import type { MigDivision } from "../../../domain/gpu/mig/mig-layout.ts";
import { DriverUnavailable } from "../../driver.ts";
import type { Scenario } from "../../simulated/gpu/scenario.ts";
import { scenarioMachine } from "../../simulated/gpu/scenario-machine.ts";
import { migModeOf } from "../../simulated/gpu/simulated-gpus.ts";
import { gpuReader } from "../gpu-reader.ts";
import { type Run, runLocally } from "../run.ts";
import { type MigRecord, migSetter } from "./set-mig-layout.ts";

const UUID = "GPU-5c89852c-d268-c3f3-1b07-005d5ae1dc3f";
type Gpu = Scenario["gpus"][number];

/** The record of a change that a test makes. */
function newRecord(earlier: MigDivision | null = null) {
  const record: MigRecord = {
    earlier,
    async begin(division) {
      record.earlier = division;
      return true;
    },
  };
  return record;
}

const setterOn =
  (run: Run, answerMs?: number) =>
  async (uuid: string, profiles: readonly string[] | null, record = newRecord()) => {
    const result = await migSetter(run, answerMs)(uuid, profiles, record);
    assert.ok(result);
    return result;
  };

function machineWith(gpu: Partial<Gpu>, others: Partial<Scenario> = {}) {
  const own: Gpu = { name: "NVIDIA A100-SXM4-80GB", memoryMb: 81_920, uuid: UUID, ...gpu };
  const calls: string[] = [];
  const clock = new VirtualClock(Date.parse("2026-11-28T12:00:00Z"));
  const { run: answer, state } = scenarioMachine({ gpus: [own], ...others }, clock);
  const run: Run = (program, args, ...rest) => {
    calls.push([program, ...args].join(" ").replace(` -i ${UUID}`, ""));
    return answer(program, args, ...rest);
  };
  return {
    calls,
    run,
    set: setterOn(run),
    layout: () => state().gpus[0]!.slices.map(({ profile }) => profile),
    mode: () => migModeOf(state().gpus[0]!),
    pending: () => state().gpus[0]!.mig === "pending",
  };
}

test("an empty GPU is divided, divided anew, and whole again", async () => {
  const { set, layout, mode, calls, run } = machineWith({});
  assert.deepEqual(await set(UUID, ["1g.10gb", "1g.10gb", "2g.20gb", "3g.40gb"]), {
    outcome: "set",
    text: "it has 2 × 1g.10gb, 2g.20gb, 3g.40gb",
  });
  assert.deepEqual(layout(), ["3g.40gb", "2g.20gb", "1g.10gb", "1g.10gb"]);
  const list = await run("nvidia-smi", ["-L"]);
  assert.match(list, / {2}MIG 3g\.40gb {5}Device {2}0: \(UUID: MIG-[\da-f-]{36}\)\n/);
  assert.equal(list.match(/MIG-/g)!.length, 4);

  calls.length = 0;
  assert.equal((await set(UUID, ["3g.40gb", "2g.20gb", "1g.10gb", "1g.10gb"])).outcome, "set");
  assert.ok(!calls.some((call) => / -(?:dci|dgi|cgi|mig) /.test(`${call} `)), calls.join("\n"));

  assert.equal((await set(UUID, ["3g.40gb", "3g.40gb"])).outcome, "set");
  assert.deepEqual(layout(), ["3g.40gb", "3g.40gb"]);
  assert.equal((await set(UUID, [])).text, "it has no MIG devices");
  assert.deepEqual([layout(), mode()], [[], "Enabled"]);
  assert.equal((await set(UUID, null)).text, "MIG mode is off");
  assert.deepEqual([layout(), mode()], [[], "Disabled"]);
  assert.equal((await set(UUID, null)).text, "it is not in MIG mode");
});

test("what cannot be done is refused in the driver's words, and leaves the GPU as it was", async () => {
  const two = [
    { profile: "3g.40gb", uuid: "MIG-a", memoryMb: 40_192 },
    { profile: "3g.40gb", uuid: "MIG-b", memoryMb: 40_192 },
  ];
  const halves = ["3g.40gb", "3g.40gb"];
  const rows: [gpu: Partial<Gpu>, profiles: string[] | null, text: RegExp][] = [
    [{ name: "NVIDIA A40" }, halves, /^the GPU has no MIG mode, or its driver does not say it$/],
    [{ mig: "none" }, halves, /has no MIG mode/],
    [{ process: "python3" }, halves, /^the process 4242 \(python3\) uses the GPU$/],
    [{}, ["5g.60gb"], /^the GPU has no profile 5g\.60gb; it has room for 7 × 1g\.10gb, /],
    [{}, [...halves, "1g.10gb"], /^2 × 3g\.40gb, 1g\.10gb do not fit on the GPU together$/],
    [{ slices: two }, ["4g.40gb", "4g.40gb"], /^2 times 4g\.40gb do not fit; at most 1 do$/],
    [
      { mig: "waits_for_reset" },
      halves,
      /^the driver did not turn MIG mode on: Warning: MIG mode is in pending enable state .*Not Supported$/,
    ],
    [{ mig: "in_use" }, halves, /did not turn MIG mode on: .*In use by another client$/],
    [{ slices: two, mig: "in_use" }, null, /^nvidia-smi: Unable to destroy compute instance/],
    [{ mig: "no_permission" }, halves, /MIG mode on: Unable to enable .*Insufficient Permissions$/],
    [{ slices: two, mig: "no_permission" }, null, /^nvidia-smi: .*Insufficient Permissions$/],
    [{ state: "lost" }, halves, /^its driver says of its MIG mode: GPU is lost$/],
  ];
  for (const [gpu, profiles, text] of rows) {
    const { set, layout, mode, pending } = machineWith(gpu);
    const before = [layout(), mode()];
    const result = await set(UUID, profiles);
    assert.equal(result.outcome, "refused", String(text));
    assert.match(result.text, text);
    assert.deepEqual([layout(), mode(), pending()], [...before, false]);
  }
});

test("a driver that fails says why, and one that does not create what it has room for gets its layout back", async () => {
  const failing = machineWith({}, { driver: "version_mismatch" });
  assert.match((await failing.set(UUID, ["3g.40gb"])).text, /Driver\/library version mismatch$/);

  const slices = [{ profile: "3g.40gb", uuid: "MIG-a", memoryMb: 40_192 }];
  const { run, layout } = machineWith({ slices });
  const refusing: Run = async (program, args, ...rest) => {
    if (!args.includes("1g.10gb,1g.10gb")) return run(program, args, ...rest);
    await run(program, ["mig", "-cgi", "1g.10gb", "-C", "-i", UUID]);
    const stdout =
      "Successfully created GPU instance ID  1 on GPU  0 using profile MIG 1g.10gb (ID 19)\n" +
      "Unable to create a GPU instance on GPU  0 using profile 19: Insufficient Resources\n" +
      "Failed to create GPU instances: Insufficient Resources\n";
    throw Object.assign(new Error("Command failed"), { stdout, code: 23 });
  };
  assert.deepEqual(await setterOn(refusing)(UUID, ["1g.10gb", "1g.10gb"]), {
    outcome: "refused",
    text:
      "the driver did not create 2 × 1g.10gb: Unable to create a GPU instance on GPU  0 using profile 19: " +
      "Insufficient Resources; it is divided as before",
  });
  assert.deepEqual(layout(), ["3g.40gb"]);
});

test("a driver that destroys devices and then keeps the mode, or a part of them, gets the layout back", async () => {
  const slices = [
    { profile: "4g.40gb", uuid: "MIG-a", memoryMb: 40_192 },
    { profile: "3g.40gb", uuid: "MIG-b", memoryMb: 40_192 },
  ];
  const waiting =
    "Warning: MIG mode is in pending disable state for GPU 00000000:01:00.0:In use by another client\nAll done.\n";
  const refusal = "Failed to destroy GPU instances: In use by another client";
  const rows: [call: string, times: number, printed: () => Promise<string>, text: RegExp][] = [
    [
      "-mig 0",
      1,
      async () => waiting,
      /^the driver did not turn MIG mode off: Warning: .*by another client; it is divided as before$/,
    ],
    ["mig -dgi", 1, () => failure(refusal), /^nvidia-smi: Failed .*; it is divided as before$/],
    ["mig -dgi", 9, () => failure(refusal), /^nvidia-smi: Failed .*; it is not divided as before$/],
  ];
  for (const [call, times, printed, text] of rows) {
    const { run, layout, mode } = machineWith({ slices });
    let calls = 0;
    const refusing: Run = (program, args, ...rest) =>
      args.join(" ").startsWith(call) && calls++ < times ? printed() : run(program, args, ...rest);
    const result = await setterOn(refusing)(UUID, null);
    assert.equal(result.outcome, "refused");
    assert.match(result.text, text);
    assert.deepEqual([layout(), mode()], [["4g.40gb", "3g.40gb"], "Enabled"]);
  }
});

const failure = (stdout: string): Promise<never> =>
  Promise.reject(Object.assign(new Error("Command failed"), { stdout, code: 19 }));

test("an interrupted change is made again, and a refusal then leaves what there was before the interruption", async () => {
  const slices = [
    { profile: "4g.40gb", uuid: "MIG-a", memoryMb: 40_192 },
    { profile: "3g.40gb", uuid: "MIG-b", memoryMb: 40_192 },
  ];
  const rows: [gpu: Partial<Gpu>, profiles: string[] | null, interrupted: string, text: RegExp][] =
    [
      [{ slices }, ["7g.80gb"], "-cgi", /^the driver did not create 7g\.80gb: Failed/],
      [{ slices }, ["7g.80gb"], "-dgi", /; it is divided as before$/],
      [{ slices }, null, "-mig", /^the driver did not turn MIG mode off: .*divided as before$/],
      [{}, ["7g.80gb"], "-cgi", /^the driver did not create 7g\.80gb: Failed/],
    ];
  for (const [gpu, profiles, interrupted, text] of rows) {
    const { run, set, layout, mode } = machineWith(gpu);
    const before = [layout(), mode()];
    const record = newRecord();
    const interrupting: Run = (program, args, ...rest) =>
      args.includes(interrupted)
        ? Promise.reject(new DriverUnavailable("away"))
        : run(program, args, ...rest);
    await assert.rejects(migSetter(interrupting)(UUID, profiles, record), DriverUnavailable);
    if (interrupted !== "-dgi") assert.notDeepEqual([layout(), mode()], before);
    const refused = profiles?.[0] ?? "-mig";
    const refusing: Run = (program, args, ...rest) =>
      args.includes(refused)
        ? failure("Failed to create GPU instances: In use by another client")
        : run(program, args, ...rest);
    const result = await setterOn(refusing)(UUID, profiles, newRecord(record.earlier));
    assert.equal(result.outcome, "refused");
    assert.match(result.text, text);
    assert.deepEqual([layout(), mode()], before);
    assert.equal((await set(UUID, profiles, newRecord(record.earlier))).outcome, "set");
  }
});

test("a change that is no longer wanted when it would begin changes nothing", async () => {
  const { run, layout, mode } = machineWith({});
  const record: MigRecord = { earlier: null, begin: async () => false };
  assert.equal(await migSetter(run)(UUID, ["7g.80gb"], record), null);
  assert.deepEqual([layout(), mode()], [[], "Disabled"]);
});

test("compute instances that shared a GPU instance are not said to be as before", async () => {
  const { run } = machineWith({ mig: "on" });
  const earlier = {
    isEnabled: true,
    instances: ["3g.40gb"],
    devices: ["1c.3g.40gb", "2c.3g.40gb"],
  };
  const refusing: Run = (program, args, ...rest) =>
    args.includes("7g.80gb") ? failure("In use by another client") : run(program, args, ...rest);
  const { text } = await setterOn(refusing)(UUID, ["7g.80gb"], newRecord(earlier));
  assert.match(text, /; it is not divided as before$/);
});

test("a program that does not end is a refusal, and the next change is made", async () => {
  const { run, set } = machineWith({});
  const hanging: Run = (program, args, ...rest) =>
    args[0] === "-mig" ? new Promise(() => {}) : run(program, args, ...rest);
  assert.deepEqual(await setterOn(hanging, 20)(UUID, ["7g.80gb"]), {
    outcome: "refused",
    text: "the driver did not turn MIG mode on: it does not answer",
  });
  assert.equal((await set(UUID, ["7g.80gb"])).outcome, "set");
});

test("what needs root is done with sudo, if that asks for no password", async () => {
  const { run, layout } = machineWith({});
  const needsRoot: Run = (program, args, ...rest) => {
    if (program === "sudo") return run("nvidia-smi", args.slice(2), ...rest);
    const isChange = args.some((arg) => ["-mig", "-cgi", "-dci", "-dgi"].includes(arg));
    if (!isChange) return run(program, args, ...rest);
    const stdout = "Unable to enable MIG Mode for GPU 00000000:01:00.0: Insufficient Permissions\n";
    return Promise.reject(Object.assign(new Error("Command failed"), { stdout, code: 4 }));
  };
  assert.equal((await setterOn(needsRoot)(UUID, ["7g.80gb"])).outcome, "set");
  assert.deepEqual(layout(), ["7g.80gb"]);
});

test("a machine that is not reached is no refusal", async () => {
  const away: Run = () => Promise.reject(new DriverUnavailable("away"));
  await assert.rejects(setterOn(away)(UUID, ["7g.80gb"]), DriverUnavailable);
});

test("the programs of a machine are called as processes, and the next reading has the layout", async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-mig-"));
  t.after(() => rmSync(folder, { recursive: true }));
  writeScenario(folder, {
    gpus: [{ name: "NVIDIA A100-SXM4-80GB", memoryMb: 81_920, uuid: UUID }],
  });
  const run = runLocally({ ...process.env, PATH: `${folder}:${process.env.PATH}` }, 120_000);
  const { outcome, text } = await setterOn(run)(UUID, ["4g.40gb", "3g.40gb"]);
  assert.deepEqual([outcome, text], ["set", "it has 4g.40gb, 3g.40gb"]);
  const { gpus, gpuFaults } = await gpuReader(run).read();
  assert.deepEqual(
    gpus.map(({ name, memoryMb }) => [name, memoryMb]),
    [
      ["NVIDIA A100-SXM4-80GB MIG 4g.40gb", 40_192],
      ["NVIDIA A100-SXM4-80GB MIG 3g.40gb", 40_192],
    ],
  );
  assert.deepEqual(gpuFaults, []);
});
