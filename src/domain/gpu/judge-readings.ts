// Whether a GPU can be given to new workloads, from what its driver reports of it. Pure.

/** What a driver reports of one GPU; null where the driver or the GPU does not have the value. */
export interface GpuReadings {
  /** NVIDIA's word, such as "None" or "Reset". */
  recoveryAction: string | null;
  resetRequired: boolean | null;
  rowRemapFailure: boolean | null;
  sramThresholdExceeded: boolean | null;
  unrepairableMemory: boolean | null;
  /** A repair that takes effect with the next reset. */
  repairPending: boolean | null;
  migMode: boolean | null;
}

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
  | "reset_required"
  | "row_remap_failure"
  | "sram_threshold"
  | "unrepairable_memory"
  | "repair_pending"
  | "mig_mode"
  | "stale";

type Finding = Omit<GpuFault, "index" | "uuid">;

const RESET = "reset the GPU while nothing runs on it";
const REPLACE = "replace the GPU";

/** The most severe finding, or null for a GPU that can be used. A value that is missing is no finding. */
export function judgeGpu(readings: GpuReadings): Finding | null {
  const { recoveryAction } = readings;
  if (readings.rowRemapFailure) {
    return {
      code: "row_remap_failure",
      reason: "remapping a memory row failed",
      recommendation: REPLACE,
    };
  }
  if (readings.sramThresholdExceeded) {
    const reason = "its SRAM has more uncorrectable errors than NVIDIA allows";
    return { code: "sram_threshold", reason, recommendation: REPLACE };
  }
  if (readings.unrepairableMemory) {
    const reason = "its memory cannot be repaired";
    return { code: "unrepairable_memory", reason, recommendation: REPLACE };
  }
  if (recoveryAction !== null && !/^none$/i.test(recoveryAction)) {
    const reason = `its driver reports the recovery action "${recoveryAction}"`;
    return { code: "recovery_action", reason, recommendation: adviceFor(recoveryAction) };
  }
  if (readings.resetRequired) {
    return { code: "reset_required", reason: "its driver requires a reset", recommendation: RESET };
  }
  if (readings.repairPending) {
    return { code: "repair_pending", reason: "a repair waits for a reset", recommendation: RESET };
  }
  if (readings.migMode) {
    const reason = "it is in MIG mode, and its slices are not offered";
    return { code: "mig_mode", reason, recommendation: "turn MIG mode off to offer the whole GPU" };
  }
  return null;
}

/** NVIDIA changed the words of some actions between drivers. */
function adviceFor(action: string): string {
  if (/drain/i.test(action)) return "drain the GPU, then reset it";
  if (/reboot/i.test(action)) return "reboot the machine";
  if (/reset|FLR/i.test(action)) return RESET;
  return "follow NVIDIA's documentation of this action";
}

/** "GPU 1: its driver requires a reset; reset the GPU while nothing runs on it" */
export function gpuFaultText({ index, reason, recommendation }: GpuFault): string {
  return `GPU ${index}: ${reason}; ${recommendation}`;
}

/** The numbers of the GPUs that new workloads do not get. */
export function faultyGpus({ gpuFaults = [] }: { gpuFaults?: GpuFault[] }): ReadonlySet<number> {
  return new Set(gpuFaults.map(({ index }) => index));
}
