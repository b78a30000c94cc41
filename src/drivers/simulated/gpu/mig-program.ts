// What `nvidia-smi mig` and `nvidia-smi -mig` print for simulated GPUs, and what they change. The words are those of NVIDIA's MIG
// user guide and of public captures. Pure.

import { MB_PER_GB } from "../../../base/units.ts";
import { type SimulatedProfile, simulatedProfiles } from "./mig-profiles.ts";
import type { ProgramAnswer } from "./nvidia-smi-program.ts";
import { gpuUuid, migModeOf, type SimulatedGpu, type Slice } from "./simulated-gpus.ts";

const answer = (lines: readonly string[], exitCode = 0): ProgramAnswer => ({
  stdout: lines.map((line) => `${line}\n`).join(""),
  stderr: "",
  exitCode,
});

const NOT_FOUND = 6;
const CODES: Record<string, number> = {
  "Insufficient Permissions": 4,
  "In use by another client": 19,
  "Insufficient Resources": 23,
};

/** `gpu` is the one that the arguments name. */
export function migAnswer(args: readonly string[], gpu: SimulatedGpu | undefined): ProgramAnswer {
  if (!gpu || migModeOf(gpu) !== "Enabled")
    return answer(["No MIG-enabled devices found."], NOT_FOUND);
  const at = args.indexOf("-cgi");
  if (at >= 0) return createInstances(gpu, (args[at + 1] ?? "").split(","), args.includes("-C"));
  switch (args[0]) {
    case "-lgip":
      return answer(profileTable(gpu));
    case "-lgipp":
      return answer(simulatedProfiles(gpu.name).map((each) => placementLine(gpu, each)));
    case "-lgi":
      return gpu.slices.length === 0
        ? answer(["No GPU instances found: Not Found"], NOT_FOUND)
        : answer(instanceTable(gpu));
    case "-lci":
      return devicesOf(gpu).length === 0
        ? answer(["No compute instances found: Not Found"], NOT_FOUND)
        : answer(deviceTable(gpu));
    case "-dci":
      return destroyDevices(gpu);
    case "-dgi":
      return destroyInstances(gpu);
    default:
      return answer(["Invalid combination of input arguments."], 2);
  }
}

const number = (value: number) => String(value).padStart(2);
const devicesOf = ({ slices }: SimulatedGpu) => slices.filter(({ uuid }) => uuid !== "");
const instanceOf = ({ gpuInstance }: Slice, place: number) => gpuInstance ?? place + 1;

function profileTable({ index, name }: SimulatedGpu): string[] {
  const rule = `+${"-".repeat(77)}+`;
  const rows = simulatedProfiles(name).flatMap(({ name: profile, id, total, gib, engines }) => {
    const [sm, decoders, encoders, ...others] = engines.map((count) => String(count));
    const left = `|${String(index).padStart(4)}  ${`MIG ${profile}`.padEnd(18)}${number(id)}`;
    const middle = `     ${total}/${total}        ${gib.toFixed(2).padEnd(10)} No `;
    const right = `${sm!.padStart(6)}${decoders!.padStart(6)}${encoders!.padStart(6)}   |`;
    const second = others.map((count) => count.padStart(6)).join("");
    return [left + middle + right, `|${" ".repeat(56)}${second}   |`, rule];
  });
  return [
    rule,
    "| GPU instance profiles:                                                      |",
    "| GPU   Name             ID    Instances   Memory     P2P    SM    DEC   ENC  |",
    "|                              Free/Total   GiB              CE    JPEG  OFA  |",
    `|${"=".repeat(77)}|`,
    ...rows,
  ];
}

function placementLine({ index }: SimulatedGpu, { id, starts, size }: SimulatedProfile): string {
  const word = starts.length === 1 ? "Placement " : "Placements";
  return `GPU ${number(index!)} Profile ID ${number(id)} ${word}: {${starts.toSorted().join()}}:${size}`;
}

function instanceTable(gpu: SimulatedGpu): string[] {
  const rule = `+${"-".repeat(55)}+`;
  const rows = placed(gpu).flatMap(({ slice, profile, start }, place) => {
    const cells = [
      `|${String(gpu.index).padStart(4)}  ${`MIG ${slice.profile}`.padEnd(19)}${number(profile?.id ?? 0)}`,
      `       ${number(instanceOf(slice, place))}          ${start}:${profile?.size ?? 1}     |`,
    ];
    return [cells.join(""), rule];
  });
  return [
    rule,
    "| GPU instances:                                        |",
    "| GPU   Name             Profile  Instance   Placement  |",
    "|                          ID       ID       Start:Size |",
    `|${"=".repeat(55)}|`,
    ...rows,
  ];
}

function deviceTable(gpu: SimulatedGpu): string[] {
  const rule = `+${"-".repeat(71)}+`;
  const rows = devicesOf(gpu).flatMap((slice, place) => {
    const name = `MIG ${slice.profile.replace(/\+.*/, "")}`.padEnd(21);
    const left = `|${String(gpu.index).padStart(4)}     ${number(instanceOf(slice, place))}       ${name}`;
    return [`${left}0         0          0:1     |`, rule];
  });
  return [
    rule,
    "| Compute instances:                                                    |",
    "| GPU     GPU       Name             Profile   Instance   Placement     |",
    "|       Instance                       ID        ID       Start:Size    |",
    "|         ID                                                            |",
    `|${"=".repeat(71)}|`,
    ...rows,
  ];
}

/** The slices with their places, in the order in which they were created. */
function placed({ name, slices }: Pick<SimulatedGpu, "name" | "slices">) {
  const profiles = simulatedProfiles(name);
  let taken = 0;
  return slices.map((slice) => {
    const profile = profiles.find((each) => each.name === slice.profile);
    const start = profile ? freeStart(profile, taken) : null;
    if (profile && start !== null) taken |= bits(profile, start);
    return { slice, profile, start };
  });
}

const bits = ({ size }: SimulatedProfile, start: number) => ((1 << size) - 1) << start;

const freeStart = (profile: SimulatedProfile, taken: number): number | null =>
  profile.starts.find((start) => (taken & bits(profile, start)) === 0) ?? null;

/** What fits is created, also if what follows does not. */
function createInstances(
  gpu: SimulatedGpu,
  names: readonly string[],
  hasDevices: boolean,
): ProgramAnswer {
  const profiles = simulatedProfiles(gpu.name);
  const slices = [...gpu.slices];
  const lines: string[] = [];
  const on = `on GPU ${number(gpu.index!)}`;
  const end = (reason: string) => {
    const last = `Failed to create GPU instances: ${reason}`;
    const change = slices.length > gpu.slices.length ? { change: { gpu: gpu.place, slices } } : {};
    return { ...answer([...lines, last], CODES[reason] ?? 2), ...change };
  };
  for (const name of names) {
    const profile = profiles.find((each) => each.name === name || String(each.id) === name);
    if (!profile) return answer([`Option "-cgi" has an invalid value: ${name}.`], 2);
    const refuse = (reason: string) => {
      lines.push(`Unable to create a GPU instance ${on} using profile ${profile.id}: ${reason}`);
      return end(reason);
    };
    if (gpu.mig === "no_permission") return refuse("Insufficient Permissions");
    const free = placed({ ...gpu, slices: [...slices, sliceOf(gpu, profile, 0)] }).at(-1)!;
    const isOnly = slices.filter((each) => each.profile === profile.name).length >= profile.total;
    if (free.start === null || isOnly) return refuse("Insufficient Resources");
    const used = slices.map(instanceOf);
    const id = Array.from({ length: 64 }, (_, n) => n + 1).find((n) => !used.includes(n))!;
    const slice = sliceOf(gpu, profile, id);
    slices.push(hasDevices ? slice : { ...slice, uuid: "" });
    lines.push(
      `Successfully created GPU instance ID ${number(id)} ${on} using profile MIG ${profile.name} (ID ${number(profile.id)})`,
      ...(hasDevices
        ? [
            `Successfully created compute instance ID  0 ${on} GPU instance ID ${number(id)} using profile MIG ${profile.name.replace(/\+.*/, "")} (ID  0)`,
          ]
        : []),
    );
  }
  return { ...answer(lines), change: { gpu: gpu.place, slices } };
}

const sliceOf = (
  gpu: SimulatedGpu,
  { name, gib }: SimulatedProfile,
  gpuInstance: number,
): Slice => {
  const uuid = gpuUuid(`${gpu.uuid}/${gpuInstance}/0`).replace("GPU-", "MIG-");
  return { profile: name, uuid, memoryMb: gib * MB_PER_GB, gpuInstance };
};

function destroyDevices(gpu: SimulatedGpu): ProgramAnswer {
  const devices = devicesOf(gpu);
  const place = (slice: Slice) =>
    `compute instance ID  0 from GPU ${number(gpu.index!)} GPU instance ID ${number(instanceOf(slice, gpu.slices.indexOf(slice)))}`;
  if (devices.length === 0) return answer(["No compute instances found: Not Found"], NOT_FOUND);
  const reason = refusalOf(gpu);
  if (reason !== null) {
    const lines = devices.map((slice) => `Unable to destroy ${place(slice)}: ${reason}`);
    return answer([...lines, `Failed to destroy compute instances: ${reason}`], CODES[reason]);
  }
  const slices = gpu.slices.map((slice) => ({ ...slice, uuid: "" }));
  const lines = devices.map((slice) => `Successfully destroyed ${place(slice)}`);
  return { ...answer(lines), change: { gpu: gpu.place, slices } };
}

function destroyInstances(gpu: SimulatedGpu): ProgramAnswer {
  const place = (slice: Slice, n: number) =>
    `GPU instance ID ${number(instanceOf(slice, n))} from GPU ${number(gpu.index!)}`;
  if (gpu.slices.length === 0) return answer(["No GPU instances found: Not Found"], NOT_FOUND);
  const reason = devicesOf(gpu).length > 0 ? "In use by another client" : refusalOf(gpu);
  if (reason !== null) {
    const line = `Unable to destroy ${place(gpu.slices[0]!, 0)}: ${reason}`;
    return answer([line, `Failed to destroy GPU instances: ${reason}`], CODES[reason]);
  }
  const lines = gpu.slices.map((slice, n) => `Successfully destroyed ${place(slice, n)}`);
  return { ...answer(lines), change: { gpu: gpu.place, slices: [], mig: "on" } };
}

const REFUSALS: Partial<Record<SimulatedGpu["mig"], string>> = {
  in_use: "In use by another client",
  no_permission: "Insufficient Permissions",
};
const refusalOf = ({ mig }: SimulatedGpu) => REFUSALS[mig] ?? null;

/** `nvidia-smi -mig 1` and `-mig 0`. A GPU that must be reset first keeps its mode until then. */
export function switchMigMode(gpu: SimulatedGpu, isOn: boolean, busId: string): ProgramAnswer {
  const [action, done] = isOn ? ["enable", "Enabled"] : ["disable", "Disabled"];
  const failed = (reason: string) => `Unable to ${action} MIG Mode for GPU ${busId}: ${reason}`;
  if (migModeOf(gpu) === null) {
    const lines = [failed("Not Supported"), "Treating as warning and moving on.", "All done."];
    return answer(lines);
  }
  if (gpu.mig === "no_permission") {
    const lines = [failed("Insufficient Permissions"), "Terminating early due to previous errors."];
    return answer(lines, 4);
  }
  if (!isOn && gpu.slices.length > 0) {
    return answer(
      [failed("In use by another client"), "Terminating early due to previous errors."],
      19,
    );
  }
  const isPending = isOn && (gpu.mig === "waits_for_reset" || gpu.mig === "in_use");
  if (!isPending) {
    const mig = gpu.mig === "pending" ? "waits_for_reset" : isOn ? "on" : "off";
    return {
      ...answer([`${done} MIG Mode for GPU ${busId}`, "All done."]),
      change: { gpu: gpu.place, mig },
    };
  }
  const warning = `Warning: MIG mode is in pending ${action} state for GPU ${busId}:`;
  const lines =
    gpu.mig === "in_use"
      ? [
          `${warning}In use by another client`,
          `${busId} is currently being used by one or more other processes (e.g. CUDA application or a monitoring application such as another instance of nvidia-smi). Please first kill all processes using the device and retry the command or reboot the system to make MIG mode effective.`,
        ]
      : [
          `${warning}Not Supported`,
          `Reboot the system or try nvidia-smi --gpu-reset to make MIG mode effective on GPU ${busId}`,
        ];
  return { ...answer([...lines, "All done."]), change: { gpu: gpu.place, mig: "pending" } };
}
