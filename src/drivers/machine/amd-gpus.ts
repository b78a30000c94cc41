// The AMD GPUs of a machine, read from `amd-smi` where the machine has it, and from its kernel.

import { MIB } from "../../base/units.ts";
import type { ReadGpu } from "../../domain/gpu/checks.ts";
import type { GpuFault } from "../../domain/gpu/gpu-health.ts";
import { type GpuReadings, judgeGpu } from "../../domain/gpu/judge-readings.ts";
import { type GpuNodes, isAmdUuid } from "../../domain/machine/gpu-nodes.ts";
import type { GpuLoad } from "../../domain/machine/load/load.ts";
import { DriverUnavailable } from "../driver.ts";
import { type AmdSmiGpu, amdSmiProblem, readAmdSmi } from "./amd-smi.ts";
import { AMD_SYSFS, type AmdDevice, parseAmdDevices, type UndrivenDevice } from "./amd-sysfs.ts";
import type { GpuIdentities, Identities } from "./gpu-identities.ts";
import { type MakerGpus, NO_GPUS } from "./nvidia-smi.ts";
import type { Run, RunError } from "./run.ts";
import { singleProbe } from "./single-probe.ts";

/** Smaller ones are parts of a processor, which have a piece of its memory. */
const MIN_MEMORY_MB = 4_096;

export interface AmdBounds {
  /** How long the kernel's answer is waited for. */
  kernelMs?: number;
  /** How long that of `amd-smi` is waited for. */
  toolMs?: number;
  /** After so long `amd-smi` is ended. It ends by itself after a minute if the driver hangs. */
  toolEndMs?: number;
}

/** Kernel and tool are asked in turn, and together have the time that `nvidia-smi` has. */
const BOUNDS: Required<AmdBounds> = { kernelMs: 10_000, toolMs: 10_000, toolEndMs: 60_000 };

/** `last` is the reading before; a GPU that is new gets a number from `firstNumber`, or a later one. */
export type ReadAmdGpus = (
  last: MakerGpus,
  firstNumber: () => Promise<number>,
) => Promise<MakerGpus>;

/** Rejects with DriverUnavailable if the machine is not reached. */
export function amdReader(
  run: Run,
  identities: GpuIdentities,
  limits: AmdBounds = {},
): ReadAmdGpus {
  const bounds = { ...BOUNDS, ...limits };
  const askKernel = singleProbe(() => kernelOutput(run), null, bounds.kernelMs);
  const readTool = amdTool(run, bounds);
  const silence = `the AMD GPUs do not answer in /sys within ${bounds.kernelMs / 1_000} s`;
  return async (last, firstNumber) => {
    const output = await askKernel();
    if (output === null || output instanceof Error) {
      if (last.gpus.length === 0) return NO_GPUS;
      if (output === null) return { ...NO_GPUS, gpuTrouble: silence, isSilent: true };
      return withTrouble(NO_GPUS, `the AMD GPUs cannot be read: ${lastLine(output)}`);
    }
    const { driver: gpuDriver, ...listed } = parseAmdDevices(output);
    const devices = listed.devices.filter(
      ({ memoryBytes }) => memoryBytes === null || megabytes(memoryBytes) >= MIN_MEMORY_MB,
    );
    const before = identities.all();
    const undriven = listed.undriven.flatMap((device) => undrivenTrouble(device, before) ?? []);
    if (devices.length === 0) return undriven.reduce(withTrouble, { ...NO_GPUS, isEmpty: true });
    const tool = await readTool();
    const around = {
      identities,
      last,
      firstNumber: await firstNumber(),
      cdiNames: listed.cdiNames,
    };
    const reading = readingOf(devices, tool, around);
    return undriven.reduce(withTrouble, { ...reading, gpuDriver });
  };
}

async function kernelOutput(run: Run): Promise<string | Error> {
  return run("sh", ["-c", AMD_SYSFS]).catch((error: Error & { code?: unknown }) => {
    if (error instanceof DriverUnavailable) throw error;
    return error.code === "ENOENT" ? "" : error;
  });
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

function withTrouble(reading: MakerGpus, text: string): MakerGpus {
  const gpuTrouble = reading.gpuTrouble === null ? text : `${reading.gpuTrouble}; ${text}`;
  return { ...reading, gpuTrouble };
}

/** Why it cannot be asked, or null with what it says; a machine without it has no trouble. */
interface Tool {
  gpus: Map<string, AmdSmiGpu>;
  problem: string | null;
  isSilent?: true;
}

/** A tool that hangs is not started again beside itself, and is ended after a while. */
function amdTool(run: Run, { toolMs, toolEndMs }: Required<AmdBounds>): () => Promise<Tool> {
  const problem = `amd-smi does not answer within ${toolMs / 1_000} s`;
  const silent: Tool = { gpus: new Map(), problem, isSilent: true };
  return singleProbe(() => askTool(run, AbortSignal.timeout(toolEndMs), silent), silent, toolMs);
}

async function askTool(run: Run, stopped: AbortSignal, silent: Tool): Promise<Tool> {
  const none = new Map<string, AmdSmiGpu>();
  try {
    return { gpus: await readAmdSmi(run, stopped), problem: null };
  } catch (error) {
    if (error instanceof DriverUnavailable) throw error;
    if (stopped.aborted) return silent;
    if ((error as { code?: unknown }).code === "ENOENT") return { gpus: none, problem: null };
    return { gpus: none, problem: `amd-smi: ${amdSmiProblem(error as RunError)}` };
  }
}

const lastLine = ({ message }: Error) => message.trim().split("\n").at(-1)!.slice(0, 300);

const megabytes = (bytes: number) => Math.floor(bytes / MIB);

/** The form in which AMD's libraries write it, too. */
const uuidOf = ({ uniqueId, pci }: AmdDevice) =>
  uniqueId === null ? `GPU-PCI-${pci.replaceAll(":", "-")}` : `GPU-${uniqueId}`;

interface Around {
  identities: GpuIdentities;
  last: MakerGpus;
  firstNumber: number;
  cdiNames: ReadonlyMap<string, string>;
}

function readingOf(
  devices: readonly AmdDevice[],
  { gpus: toolGpus, problem, isSilent }: Tool,
  { identities, last, firstNumber, cdiNames }: Around,
): MakerGpus {
  const listed = new Map(devices.map((device, n) => [uuidOf(device), n + firstNumber]));
  const gpuNumbers = identities.number(listed);
  const gpus: MakerGpus["gpus"] = [];
  const readings: ReadGpu[] = [];
  const gpuFaults: GpuFault[] = [];
  const problems: string[] = problem === null ? [] : [problem];
  const before = problem === null ? null : lastAnswers(last);
  for (const device of devices) {
    const uuid = uuidOf(device);
    const index = gpuNumbers[uuid]!;
    const tool = before ? before.get(uuid) : toolGpus.get(device.pci);
    const memoryMb = tool?.memoryMb ?? megabytes(device.memoryBytes ?? 0);
    if (memoryMb === 0) {
      problems.push(`GPU ${index}: its driver amdgpu does not say how much memory it has`);
      continue;
    }
    gpus.push({ index, uuid, name: nameOf(device, tool), memoryMb });
    // The counters of the kernel are not those of the tool, and a change between them is no error.
    const values = readingsOf(before ? { ...device, uncorrectable: null } : device, tool);
    readings.push({ index, uuid, readings: values });
    const finding = problem === null ? (partitionOf(device) ?? judgeGpu(values)) : staleBy(problem);
    if (finding) gpuFaults.push({ index, uuid, ...finding });
  }
  identities.address(devices.map((device) => ({ uuid: uuidOf(device), pci: device.pci })));
  identities.addNodes(nodesOf(devices, cdiNames));
  const reading = { ...NO_GPUS, gpus, readings, gpuFaults, ...(isSilent && { isSilent }) };
  return problems.reduce(withTrouble, reading);
}

function nodesOf(devices: readonly AmdDevice[], cdiNames: Around["cdiNames"]): GpuNodes {
  const entries = devices.map((device) => {
    const render = `/dev/dri/${device.render}`;
    const cdi = cdiNames.get(render);
    return [uuidOf(device), { render, group: device.group, ...(cdi && { cdi }) }] as const;
  });
  return Object.fromEntries(entries);
}

/** What `amd-smi` said of each GPU before it failed: a GPU keeps its type, and its counters do not jump. */
const lastAnswers = ({ gpus, readings }: MakerGpus): ReadonlyMap<string, AmdSmiGpu> => {
  const errors = new Map(readings.map((each) => [each.uuid, each.readings.eccErrors]));
  return new Map(
    gpus.map(({ uuid = "", name, memoryMb }) => {
      return [uuid, { name, memoryMb, uncorrectable: errors.get(uuid) ?? null }];
    }),
  );
};

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
  recoveryAction: null,
  resetRequired: null,
  rowRemapFailure: null,
  migMode: null,
  sramThresholdExceeded: null,
  unrepairableMemory: null,
  repairPending: null,
  rowRemapPending: null,
  remappedRows: null,
  pageRetirementPending: null,
  doubleBitPages: null,
  retiredPages: null,
  eccErrors: null,
  lifetimeEccErrors: null,
  pcieWidth: null,
  maxPcieWidth: null,
  pcieGeneration: null,
  maxPcieGeneration: null,
  isAtFullPerformance: null,
  thermalSlowdown: null,
  powerSlowdown: null,
  hardwareSlowdown: null,
  isHot: null,
  persistenceMode: null,
  fabricTrouble: null,
  nvlinkTrouble: null,
  nvlinkErrors: null,
};

/** The load, temperature and power of the AMD GPUs among those with these numbers. */
export async function readAmdUse(run: Run, numbers: Identities["gpuNumbers"]): Promise<GpuLoad[]> {
  if (!Object.keys(numbers).some(isAmdUuid)) return [];
  const { devices } = parseAmdDevices(await run("sh", ["-c", AMD_SYSFS]).catch(() => ""));
  return devices.flatMap((device) => {
    const index = numbers[uuidOf(device)];
    const { busyPercent, usedBytes, memoryBytes, temperatureC, powerWatts, clockMhz } = device;
    if (index === undefined || busyPercent === null) return [];
    const share = (usedBytes ?? 0) / (memoryBytes || 1);
    const memoryUtilPercent = Math.round(1_000 * share) / 10;
    const sensors = { temperatureC, powerWatts, clockMhz };
    return [{ index, gpuUtilPercent: busyPercent, memoryUtilPercent, ...sensors }];
  });
}
