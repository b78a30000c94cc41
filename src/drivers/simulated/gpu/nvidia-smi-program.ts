// The program `nvidia-smi` for simulated GPUs: what it prints and how it ends in each case of its driver. Pure.

import { migAnswer, switchMigMode } from "./mig-program.ts";
import {
  busId,
  cellWord,
  generationOf,
  gpuDocument,
  temperatureIn,
} from "./nvidia-smi-document.ts";
import { nvlinkAnswer } from "./nvlink-program.ts";
import type { DriverState, ScenarioEvent } from "./scenario.ts";
import { isAmd, migModeOf, type SimulatedGpu, type SimulatedGpus } from "./simulated-gpus.ts";

export interface ProgramAnswer {
  stdout: string;
  stderr: string;
  exitCode: number;
  /** How long it takes; infinite for a program that never ends. */
  afterMs?: number;
  /** What it changes of a GPU. */
  change?: Pick<ScenarioEvent, "gpu" | "slices" | "mig">;
}

const SLOW_MS = 25_000;

/** The program prints its errors on standard output. */
const answer = (stdout: string, exitCode = 0): ProgramAnswer => ({ stdout, stderr: "", exitCode });

const NVML = "Failed to initialize NVML: ";
const FAILURES: Partial<Record<DriverState, ProgramAnswer>> = {
  not_loaded: answer(
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n\n",
    9,
  ),
  no_library: answer(
    "NVIDIA-SMI couldn't find libnvidia-ml.so library in your system. Please make sure that the NVIDIA Display Driver is properly installed and present in your system.\n",
    12,
  ),
  no_permission: answer(`${NVML}Insufficient Permissions\n`, 4),
  blocked: answer(`${NVML}GPU access blocked by the operating system\n`, 17),
  unknown_error: answer(`${NVML}Unknown Error\n`, 255),
};

/** Null if the machine has no such program. */
export function nvidiaSmi(args: readonly string[], machine: SimulatedGpus): ProgramAnswer | null {
  const { driver, driverVersion } = machine;
  if (driver === "no_program") return null;
  if (driver === "hangs") return { ...answer(""), afterMs: Number.POSITIVE_INFINITY };
  if (driver === "version_mismatch") {
    const library = `NVML library version: ${driverVersion.split(".").slice(0, 2).join(".")}`;
    return answer(`${NVML}Driver/library version mismatch\n${library}\n`, 18);
  }
  const answered = FAILURES[driver] ?? answerFor(args, machine);
  if (driver === "slow") return { ...answered, afterMs: SLOW_MS };
  const { stdout } = answered;
  return driver === "half_document"
    ? { ...answered, stdout: stdout.slice(0, stdout.length / 2) }
    : answered;
}

function answerFor(args: readonly string[], machine: SimulatedGpus): ProgramAnswer {
  const at = args.indexOf("-i");
  const ids = at < 0 ? null : (args[at + 1] ?? "").split(",");
  const rest = at < 0 ? args : args.toSpliced(at, 2);
  const gpus = machine.driver === "no_devices" ? [] : visibleGpus(machine);
  if (rest[0] === "nvlink") return nvlinkAnswer(rest[1] ?? "", gpus.filter(hasHandle), machine);
  if (rest.includes("-L") || rest.includes("--list-gpus")) return listGpus(gpus);
  const named = gpus.find((gpu) => hasHandle(gpu) && ids?.some((id) => isCalled(gpu, id)));
  if (rest[0] === "mig") return migAnswer(rest.slice(1), named);
  if (rest[0] === "-mig" && named) return switchMigMode(named, rest[1] === "1", busId(named));
  if (rest.some((arg) => arg.startsWith("--query-compute-apps="))) return processes(named);
  const query = rest.find((arg) => arg.startsWith("--query-gpu="));
  const fields = query?.slice("--query-gpu=".length).split(",");
  const invalid = fields?.map((name) => name.trim()).find((name) => !Object.hasOwn(FIELDS, name));
  if (invalid !== undefined)
    return answer(`Field "${invalid}" is not a valid field to query.\n`, 2);
  const print = (some: readonly SimulatedGpu[]) => {
    if (fields) return table(fields, rest, some, machine);
    if (rest.includes("-q") && rest.includes("-x")) return gpuDocument(machine, some);
    return rest.includes("--version") ? versions(machine) : banner(machine, some);
  };
  const isKnown = rest.length === 0 || fields || rest.includes("-x") || rest.includes("--version");
  if (!isKnown)
    return answer(
      `Invalid combination of input arguments. Please run 'nvidia-smi -h' for help.\n`,
      2,
    );
  if (ids !== null) {
    const isAsked = (gpu: SimulatedGpu) => ids.some((id) => isCalled(gpu, id));
    return answer(print(gpus.filter((gpu) => isAsked(gpu) && hasHandle(gpu))));
  }
  return answerForAll(gpus, print);
}

const isCalled = (gpu: SimulatedGpu, id: string) => id === gpu.uuid || id === `${gpu.index}`;

const OTHER_PROCESS = 4_242;

const processes = (gpu: SimulatedGpu | undefined) =>
  answer(gpu?.process ? `${OTHER_PROCESS}, ${gpu.process}\n` : "");

/** Without arguments that choose GPUs, one without a handle may hide the others. */
function answerForAll(
  gpus: readonly SimulatedGpu[],
  print: (some: readonly SimulatedGpu[]) => string,
): ProgramAnswer {
  const good = gpus.filter(hasHandle);
  const broken = gpus.find((gpu) => !hasHandle(gpu));
  if (good.length === 0) {
    const line = broken ? `${handleLine(broken, "Unknown Error")}\n` : "";
    return answer(`${line}No devices were found\n`, 6);
  }
  if (broken?.state === "no_handle") {
    const reason = "GPU is lost.  Reboot the system to recover this GPU";
    return answer(`${handleLine(broken, reason)}\n`, 15);
  }
  const lines = gpus
    .filter((gpu) => !hasHandle(gpu))
    .map((gpu) => handleLine(gpu, "Unknown Error"));
  return answer([...lines, print(good)].join("\n"));
}

const handleLine = (gpu: SimulatedGpu, reason: string) =>
  `Unable to determine the device handle for GPU${gpu.index}: ${gpu.pci.toUpperCase()}.0: ${reason}`;

/** The GPUs that the driver knows of. */
const visibleGpus = ({ gpus }: SimulatedGpus) =>
  gpus
    .filter((gpu) => !isAmd(gpu) && gpu.index !== null)
    .filter(({ state }) => !["hidden", "removed", "unbound"].includes(state))
    .toSorted((a, b) => a.index! - b.index!);

const hasHandle = ({ state }: SimulatedGpu) => state !== "no_handle" && state !== "no_handle_alone";

function listGpus(gpus: readonly SimulatedGpu[]): ProgramAnswer {
  if (gpus.length === 0) return answer("No devices found.\n");
  const lines = gpus.flatMap((gpu) => {
    const { index, name, uuid, pci, slices } = gpu;
    if (!hasHandle(gpu)) {
      return [
        `Unable to determine the device handle for gpu ${pci.toUpperCase()}.0: Unknown Error`,
      ];
    }
    const devices = slices.filter((slice) => slice.uuid !== "");
    const rows = devices.map(({ profile, uuid: id }, n) => {
      return `  MIG ${profile.padEnd(11)} Device ${String(n).padStart(2)}: (UUID: ${id})`;
    });
    return [`GPU ${index}: ${name} (UUID: ${uuid})`, ...rows];
  });
  return answer(`${lines.join("\n")}\n`, gpus.every(hasHandle) ? 0 : 15);
}

type Cell = string | number | null;

const IDLE_WATTS = 25;
const WATTS_A_PERCENT = 2.75;
const IDLE_MHZ = 210;
const MHZ_A_PERCENT = 12;

/** The fields of --query-gpu, with their units; null is a value that the GPU does not have. */
const FIELDS: Record<string, [(gpu: SimulatedGpu, machine: SimulatedGpus) => Cell, string]> = {
  index: [({ index }) => index, ""],
  name: [({ name }) => name, ""],
  gpu_name: [({ name }) => name, ""],
  uuid: [({ uuid }) => uuid, ""],
  gpu_uuid: [({ uuid }) => uuid, ""],
  count: [(_, { gpus }) => gpus.length, ""],
  "pci.bus_id": [busId, ""],
  driver_version: [(_, { driverVersion }) => driverVersion, ""],
  "memory.total": [({ memoryMb }) => memoryMb, "MiB"],
  "memory.used": [({ memoryMb, usedMb }) => memoryMb && usedMb, "MiB"],
  "memory.free": [({ memoryMb, usedMb }) => memoryMb && memoryMb - usedMb, "MiB"],
  "utilization.gpu": [({ utilPercent, slices }) => (slices.length > 0 ? null : utilPercent), "%"],
  "utilization.memory": [
    ({ usedMb, memoryMb }) => memoryMb && Math.round((100 * usedMb) / memoryMb),
    "%",
  ],
  "temperature.gpu": [({ values }) => Number.parseInt(temperatureIn(values), 10) || null, ""],
  "clocks.sm": [({ utilPercent }) => IDLE_MHZ + MHZ_A_PERCENT * Math.round(utilPercent), "MHz"],
  "mig.mode.current": [migModeOf, ""],
  "mig.mode.pending": [(gpu) => (gpu.mig === "pending" ? "Enabled" : migModeOf(gpu)), ""],
  "power.draw": [({ utilPercent }) => (IDLE_WATTS + WATTS_A_PERCENT * utilPercent).toFixed(2), "W"],
};

const IDENTITY = new Set(["index", "name", "gpu_name", "uuid", "gpu_uuid", "count", "pci.bus_id"]);

function table(
  fields: readonly string[],
  args: readonly string[],
  gpus: readonly SimulatedGpu[],
  machine: SimulatedGpus,
): string {
  const names = fields.map((name) => name.trim());
  const format = (args.find((arg) => arg.startsWith("--format=")) ?? "").split(/[=,]/).slice(1);
  const hasUnits = !format.includes("nounits");
  const header = names.map((name) => {
    const unit = FIELDS[name]![1];
    return unit && hasUnits ? `${name} [${unit}]` : name;
  });
  const row = (gpu: SimulatedGpu) =>
    names.map((name) => {
      const [read, unit] = FIELDS[name]!;
      const word = cellWord(gpu.state);
      if (word !== null && !IDENTITY.has(name)) return `[${word}]`;
      const value = read(gpu, machine);
      if (value === null) return "[N/A]";
      return unit && hasUnits ? `${value} ${unit}` : `${value}`;
    });
  const rows = [...(format.includes("noheader") ? [] : [header]), ...gpus.map(row)];
  return rows.map((cells) => `${cells.join(", ")}\n`).join("");
}

function versions({ driverVersion, cudaVersion }: SimulatedGpus): string {
  const [major, minor] = driverVersion.split(".");
  return [
    `NVIDIA-SMI version  : ${driverVersion}`,
    `NVML version        : ${major}.${minor}`,
    `DRIVER version      : ${driverVersion}`,
    `CUDA Version        : ${cudaVersion}\n`,
  ].join("\n");
}

function banner({ driverVersion, cudaVersion }: SimulatedGpus, gpus: readonly SimulatedGpu[]) {
  const width = 78;
  const rule = `+${"-".repeat(width)}+\n`;
  const line = (text: string) => `| ${text.padEnd(width - 2).slice(0, width - 2)} |\n`;
  const isNew = generationOf(driverVersion) >= 610;
  const [driver, cuda] = isNew
    ? ["KMD Version", "CUDA UMD Version"]
    : ["Driver Version", "CUDA Version"];
  const rows = gpus.map(({ index, name, usedMb, memoryMb, utilPercent, state }) => {
    const isLost = cellWord(state) !== null;
    const memory = memoryMb === null ? "Not Supported" : `${usedMb}MiB / ${memoryMb}MiB`;
    const cells = [isLost ? "ERR!" : memory, isLost ? "ERR!" : `${utilPercent}%`];
    return line(
      `${String(index).padStart(3)}  ${name.padEnd(36)} ${cells[0]!.padStart(22)} ${cells[1]!.padStart(8)}`,
    );
  });
  return [
    rule,
    line(`NVIDIA-SMI ${driverVersion}    ${driver}: ${driverVersion}    ${cuda}: ${cudaVersion}`),
    rule,
    line(`GPU  Name${"Memory-Usage".padStart(55)} ${"GPU-Util".padStart(8)}`),
    rule,
    ...rows,
    rule,
  ].join("");
}
