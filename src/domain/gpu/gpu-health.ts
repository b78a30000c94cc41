// The GPUs that new workloads do not get: by a fault that their driver reports, a quarantine or a cordon. Pure.

import type { SharedGpus } from "../gpu-share/gpu-share.ts";
import type { CheckCode } from "./checks.ts";
import { type GpuSlices, numbersConcerned, numbersWithin } from "./gpu-slices.ts";
import { pendingTests } from "./gpu-test.ts";
import type { GpuHealth, Quarantine } from "./health-record.ts";
import { driftedGpus, driftFault } from "./mig/layout-drift.ts";
import { changeText, changingGpus, isWaitingChange } from "./mig/mig-layout.ts";

/** Why a GPU is given to no new workload. */
export interface GpuFault {
  /** The number by which placement assigns it. */
  index: number;
  uuid: string;
  code: GpuFaultCode;
  reason: string;
  /** What to do about it. */
  recommendation: string;
}

export type GpuFaultCode =
  | "recovery_action"
  | "reboot_required"
  | "reset_required"
  | "row_remap_failure"
  | "sram_threshold"
  | "unrepairable_memory"
  | "repair_pending"
  | "mig_mode"
  | "mig_layout"
  | "partitioned"
  | "cordoned"
  | "stale"
  | "in_test"
  | "changing"
  | CheckCode
  | Quarantine["code"];

/** What an operator should know of a GPU that new workloads still get. */
export interface GpuNotice extends Omit<GpuFault, "code"> {
  code: GpuNoticeCode;
}

export type GpuNoticeCode = "reboot_required" | CheckCode;

/** "GPU 1: its driver requires a reset; reset the GPU while nothing runs on it" */
export function gpuFaultText({ index, reason, recommendation }: GpuFault | GpuNotice): string {
  return `GPU ${index}: ${reason}; ${recommendation}`;
}

/** The reasons why the operator took GPUs out of placement, by UUID; a reason may be empty. */
export type GpuCordons = Readonly<Record<string, string>>;

interface Judged {
  gpuFaults?: GpuFault[];
  gpuNotices?: GpuNotice[];
  gpuNumbers?: Readonly<Record<string, number>>;
  gpuSlices?: GpuSlices;
  gpuShares?: SharedGpus;
}

interface Offered extends Judged {
  gpus: readonly { virtual: boolean; indices: readonly number[] }[];
}

/** An inventory whose cordoned GPUs get no new workload. */
export function withCordons<Of extends Offered>(inventory: Of, cordons: GpuCordons): Of {
  const { gpuNumbers = {}, gpuFaults = [] } = inventory;
  const cordoned = Object.entries(cordons).flatMap(([uuid, text]): GpuFault[] => {
    const index = gpuNumbers[uuid];
    if (index === undefined) return [];
    const reason = text === "" ? "it is cordoned" : `it is cordoned: ${text}`;
    const recommendation = "uncordon it to place workloads on it";
    return [{ index, uuid, code: "cordoned", reason, recommendation }];
  });
  if (cordoned.length === 0) return inventory;
  return { ...inventory, gpuFaults: [...gpuFaults, ...cordoned] };
}

/** An inventory whose GPUs in quarantine, in a test, or with another MIG layout than was set get no new workload. */
export function withQuarantines<Of extends Offered>(
  inventory: Of,
  { quarantines = {}, ...health }: GpuHealth,
): Of {
  const { gpuNumbers = {} } = inventory;
  const faults = [
    ...quarantineFaults(gpuNumbers, quarantines),
    ...pendingTests(health).flatMap((uuid) =>
      pendingFault(gpuNumbers, uuid, { code: "in_test", ...IN_TEST }),
    ),
    ...changingGpus(health).flatMap((uuid) =>
      pendingFault(gpuNumbers, uuid, { code: "changing", ...changing(health, uuid) }),
    ),
  ];
  const drifted = driftedGpus(inventory, health).flatMap((drift): GpuFault[] =>
    pendingFault(gpuNumbers, drift.uuid, { code: "mig_layout", ...driftFault(drift, health) }),
  );
  faults.push(...drifted);
  if (faults.length === 0) return inventory;
  const judged = judgeReboots(inventory, { quarantines });
  return { ...judged, gpuFaults: [...faults, ...(judged.gpuFaults ?? [])] };
}

/** A reading in which the restart that a quarantined GPU needs is no fault of the others. */
export function judgeReboots<Of extends Offered>(reading: Of, { quarantines = {} }: GpuHealth): Of {
  const isCause = Object.values(quarantines).some(({ code }) => NEEDS_RESTART.has(code));
  return isCause ? withSharedReboot(reading, realIndices(reading)) : reading;
}

export function quarantineFaults(
  numbers: Readonly<Record<string, number>>,
  quarantines: NonNullable<GpuHealth["quarantines"]>,
): GpuFault[] {
  return Object.entries(quarantines).flatMap(([uuid, { code, at, reason, recommendation }]) => {
    const index = numbers[uuid];
    if (index === undefined) return [];
    const text = `it is in quarantine since ${new Date(at).toISOString()}: ${reason}`;
    return [{ index, uuid, code, reason: text, recommendation }];
  });
}

const OR_CANCEL = "wait for the result, or cancel it";

const IN_TEST = { reason: "it is being tested", recommendation: OR_CANCEL };

function changing({ migChanges = {} }: GpuHealth, uuid: string) {
  const change = migChanges[uuid]!;
  const recommendation = isWaitingChange(change) ? OR_CANCEL : "wait for the result";
  return { reason: changeText(change), recommendation };
}

function pendingFault(
  numbers: Readonly<Record<string, number>>,
  uuid: string,
  fault: Pick<GpuFault, "code" | "reason" | "recommendation">,
): GpuFault[] {
  const index = numbers[uuid];
  return index === undefined ? [] : [{ index, uuid, ...fault }];
}

const realIndices = ({ gpus }: Offered): number[] =>
  gpus.filter(({ virtual }) => !virtual).flatMap(({ indices }) => [...indices]);

/** What a restart of the machine ends, so that the driver asks for it on every GPU. */
const NEEDS_RESTART: ReadonlySet<GpuFaultCode> = new Set(["xid_79", "xid_151", "off_the_bus"]);

/**
 * A driver that has lost one GPU asks for a restart on all. Once the lost one is known, the request is no fault of the
 * others, if every GPU that is read has it or a fault of its own.
 */
export function withSharedReboot<Of extends Judged>(reading: Of, indices: readonly number[]): Of {
  const { gpuFaults = [], gpuNotices = [] } = reading;
  const shared = gpuFaults.filter(({ code }) => code === "reboot_required");
  const faulty = faultyGpus(reading);
  if (shared.length === 0 || indices.some((index) => !faulty.has(index))) return reading;
  const notices = shared.map((fault): GpuNotice => {
    const reason = "its driver requires a restart of the machine, because of another GPU";
    return { ...fault, code: "reboot_required", reason };
  });
  return {
    ...reading,
    gpuFaults: gpuFaults.filter((fault) => !shared.includes(fault)),
    gpuNotices: [...gpuNotices, ...notices],
  };
}

const RECORDED: readonly GpuFaultCode[] = [
  "cordoned",
  "in_test",
  "changing",
  "off_the_bus",
  "ecc_uncorrectable",
  "test_failed",
];

/** Whether it is recorded of the GPU, and no reading of the driver reports it. */
export const isRecorded = ({ code }: GpuFault): boolean =>
  RECORDED.includes(code) || /^(?:xid|amd)_/.test(code);

/** The numbers of the GPUs that new workloads do not get, with those of their MIG devices and shares. */
export function faultyGpus(machine: Judged): ReadonlySet<number> {
  return new Set(numbersConcerned(machine, machine.gpuFaults ?? []));
}

/** The numbers of the GPUs in quarantine, with those of their MIG devices and shares. */
export function quarantinedGpus(machine: Judged, { quarantines = {} }: GpuHealth): Set<number> {
  return new Set(Object.keys(quarantines).flatMap((uuid) => numbersWithin(machine, uuid)));
}
