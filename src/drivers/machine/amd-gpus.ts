// The AMD GPUs of a machine, read from `amd-smi` where the machine has it, and from its kernel.

import type { ReadGpu } from "../../domain/gpu/checks.ts";
import type { GpuFault } from "../../domain/gpu/gpu-health.ts";
import { type GpuReadings, judgeGpu } from "../../domain/gpu/judge-readings.ts";
import { addressGpus } from "../../domain/machine/gpu-addresses.ts";
import { type GpuNodes, nodesOfGpus } from "../../domain/machine/gpu-nodes.ts";
import { numberGpus } from "../../domain/machine/gpu-numbers.ts";
import type { GpuUse } from "../../domain/usage/sample.ts";
import { DriverUnavailable } from "../driver.ts";
import { AMD_SMI_CALLS, type AmdSmiGpu, parseAmdSmi } from "./amd-smi.ts";
import { AMD_SYSFS, type AmdDevice, parseAmdDevices, type UndrivenDevice } from "./amd-sysfs.ts";
import type { Gpus } from "./nvidia-smi.ts";
import type { Run } from "./run.ts";
import { singleProbe } from "./single-probe.ts";

type Identities = Pick<Gpus, "gpuNumbers" | "gpuAddresses" | "gpuNodes">;

/** Smaller ones are parts of a processor, which have a piece of its memory. */
const MIN_MEMORY_MB = 4_096;

/** Less than the time of a whole reading. */
const TOOL_ANSWER_MS = 10_000;

/** Adds the AMD GPUs to a reading. Rejects with DriverUnavailable if the machine is not reached. */
export async function withAmdGpus(
  run: Run,
  before: Identities,
  reading: Gpus,
  readTool: ReadAmdTool,
): Promise<Gpus> {
  const output = await run("sh", ["-c", AMD_SYSFS]).catch((error: Error & { code?: unknown }) => {
    if (error instanceof DriverUnavailable) throw error;
    return error.code === "ENOENT" ? "" : error;
  });
  if (output instanceof Error) {
    if (Object.keys(before.gpuNodes).length === 0) return reading;
    return withTrouble(reading, `the AMD GPUs cannot be read: ${lastLine(output)}`);
  }
  const found = parseAmdDevices(output);
  const devices = found.devices.filter(
    ({ memoryBytes }) => memoryBytes === null || megabytes(memoryBytes) >= MIN_MEMORY_MB,
  );
  const undriven = found.undriven.flatMap((device) => undrivenTrouble(device, before) ?? []);
  if (devices.length === 0) return undriven.reduce(withTrouble, reading);
  const tool = await readTool();
  const all = readingOf(devices, tool, before, reading);
  const driver = reading.gpus.length > 0 ? reading.gpuDriver : found.driver;
  return undriven.reduce(withTrouble, { ...all, gpuDriver: driver });
}

/** Null for a display controller that the driver never had, such as a part of a processor. */
function undrivenTrouble(
  { pci, isAccelerator }: UndrivenDevice,
  { gpuAddresses, gpuNumbers }: Identities,
): string | null {
  const [uuid] = Object.entries(gpuAddresses).find(([, each]) => each === pci) ?? [];
  if (uuid !== undefined && isAmdUuid(uuid))
    return `GPU ${gpuNumbers[uuid]}: the driver amdgpu has it no longer (${pci}); see the kernel log, and load the driver again`;
  return isAccelerator ? `the driver amdgpu does not have the AMD GPU at ${pci}; load it` : null;
}

function withTrouble(reading: Gpus, text: string): Gpus {
  const gpuTrouble = reading.gpuTrouble === null ? text : `${reading.gpuTrouble}; ${text}`;
  return { ...reading, gpuTrouble };
}

/** Why it cannot be asked, or null with what it says; a machine without it has no trouble. */
interface Tool {
  gpus: Map<string, AmdSmiGpu>;
  problem: string | null;
}

export type ReadAmdTool = () => Promise<Tool>;

/** A tool that hangs leaves the readings of other makers' GPUs as they are, and is not started again beside itself. */
export function amdTool(run: Run, answerMs = TOOL_ANSWER_MS): ReadAmdTool {
  const problem = `amd-smi does not answer within ${answerMs / 1_000} s`;
  return singleProbe(() => askTool(run), { gpus: new Map(), problem }, answerMs);
}

async function askTool(run: Run): Promise<Tool> {
  const none = new Map<string, AmdSmiGpu>();
  try {
    const texts = await Promise.all(AMD_SMI_CALLS.map((args) => run("amd-smi", args)));
    return { gpus: parseAmdSmi(texts), problem: null };
  } catch (error) {
    if (error instanceof DriverUnavailable) throw error;
    if ((error as { code?: unknown }).code === "ENOENT") return { gpus: none, problem: null };
    return { gpus: none, problem: `amd-smi: ${lastLine(error as Error)}` };
  }
}

const lastLine = ({ message }: Error) => message.trim().split("\n").at(-1)!.slice(0, 300);

const megabytes = (bytes: number) => Math.floor(bytes / 1_048_576);

/** The form in which AMD's libraries write it, too. */
const uuidOf = ({ uniqueId, pci }: AmdDevice) =>
  uniqueId === null ? `GPU-PCI-${pci.replaceAll(":", "-")}` : `GPU-${uniqueId}`;

const isAmdUuid = (uuid: string) => /^GPU-(?:[0-9a-f]{16}$|PCI-)/.test(uuid);

function readingOf(
  devices: readonly AmdDevice[],
  { gpus: toolGpus, problem }: Tool,
  before: Identities,
  reading: Gpus,
): Gpus {
  const listed = new Map(devices.map((device, n) => [uuidOf(device), n + reading.gpus.length]));
  const gpuNumbers = numberGpus(reading.gpuNumbers, listed);
  const gpus = [...reading.gpus];
  const readings: ReadGpu[] = [];
  const gpuFaults: GpuFault[] = [];
  const problems: string[] = problem === null ? [] : [problem];
  for (const device of devices) {
    const uuid = uuidOf(device);
    const index = gpuNumbers[uuid]!;
    const tool = toolGpus.get(device.pci);
    const memoryMb = tool?.memoryMb ?? megabytes(device.memoryBytes ?? 0);
    if (memoryMb === 0) {
      problems.push(`GPU ${index}: its driver amdgpu does not say how much memory it has`);
      continue;
    }
    gpus.push({ index, uuid, name: nameOf(device, tool), memoryMb });
    const values = readingsOf(device, tool);
    readings.push({ index, uuid, readings: values });
    const finding = problem === null ? (partitionOf(device) ?? judgeGpu(values)) : staleBy(problem);
    if (finding) gpuFaults.push({ index, uuid, ...finding });
  }
  const nodes: GpuNodes = Object.fromEntries(
    devices.map((device) => [
      uuidOf(device),
      { render: `/dev/dri/${device.render}`, group: device.group },
    ]),
  );
  const addressed = devices.map((device) => ({ uuid: uuidOf(device), pci: device.pci }));
  const all = {
    ...{ ...reading, gpus, gpuNumbers },
    readings: [...reading.readings, ...readings],
    gpuFaults: [...reading.gpuFaults, ...gpuFaults],
    gpuAddresses: addressGpus(reading.gpuAddresses, addressed),
    gpuNodes: nodesOfGpus(before.gpuNodes, nodes),
  };
  return problems.reduce(withTrouble, all);
}

function partitionOf({ partition }: AmdDevice): Omit<GpuFault, "index" | "uuid"> | null {
  if (partition === null || partition === "SPX") return null;
  const reason = `it is partitioned (${partition}), and its partitions are not offered`;
  return { code: "partitioned", reason, recommendation: "set the partition SPX to offer it" };
}

const staleBy = (problem: string): Omit<GpuFault, "index" | "uuid"> => {
  const reason = `its health was not read: ${problem}`;
  return { code: "stale", reason, recommendation: "correct the driver, or remove amd-smi" };
};

/** Names are without their maker in some tables. */
function nameOf({ product, tableName, device }: AmdDevice, tool: AmdSmiGpu | undefined): string {
  const name = tool?.name ?? (product || tableName || `GPU ${device}`);
  return /^AMD\b/i.test(name) ? name : `AMD ${name}`;
}

function readingsOf(device: AmdDevice, tool: AmdSmiGpu | undefined): GpuReadings {
  const { retiredPages, pendingPages, uncorrectable } = device;
  return {
    ...NOTHING_READ,
    eccErrors: tool?.uncorrectable ?? uncorrectable,
    retiredPages,
    pageRetirementPending: pendingPages === null ? null : pendingPages > 0,
  };
}

const NOTHING_READ: GpuReadings = {
  ...{ recoveryAction: null, resetRequired: null, rowRemapFailure: null, migMode: null },
  ...{ sramThresholdExceeded: null, unrepairableMemory: null, repairPending: null },
  ...{ rowRemapPending: null, remappedRows: null, pageRetirementPending: null },
  ...{ doubleBitPages: null, retiredPages: null, eccErrors: null, lifetimeEccErrors: null },
  ...{ pcieWidth: null, maxPcieWidth: null, pcieGeneration: null, maxPcieGeneration: null },
  ...{ isAtFullPerformance: null, thermalSlowdown: null, powerSlowdown: null },
  ...{ hardwareSlowdown: null, isHot: null, persistenceMode: null },
};

/** The utilization of the AMD GPUs among those with these numbers. */
export async function readAmdUse(run: Run, numbers: Gpus["gpuNumbers"]): Promise<GpuUse[]> {
  if (!Object.keys(numbers).some(isAmdUuid)) return [];
  const { devices } = parseAmdDevices(await run("sh", ["-c", AMD_SYSFS]).catch(() => ""));
  return devices.flatMap((device) => {
    const index = numbers[uuidOf(device)];
    const { busyPercent, usedBytes, memoryBytes } = device;
    if (index === undefined || busyPercent === null) return [];
    const share = (usedBytes ?? 0) / (memoryBytes || 1);
    return [
      { index, gpuUtilPercent: busyPercent, memoryUtilPercent: Math.round(1_000 * share) / 10 },
    ];
  });
}
