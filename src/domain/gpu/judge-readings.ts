// What the readings of a GPU say of its health. Pure.

import type { GpuFault } from "./gpu-health.ts";

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
  rowRemapPending: boolean | null;
  /** Memory rows that were remapped after an uncorrectable error. */
  remappedRows: number | null;
  pageRetirementPending: boolean | null;
  doubleBitPages: number | null;
  /** All retired pages. */
  retiredPages: number | null;
  /** Uncorrectable memory errors since the driver was loaded. */
  eccErrors: number | null;
  /** Uncorrectable memory errors of the GPU's life. */
  lifetimeEccErrors: number | null;
  pcieWidth: number | null;
  maxPcieWidth: number | null;
  pcieGeneration: number | null;
  maxPcieGeneration: number | null;
  /** Whether it runs in the state in which its link is at its full speed. */
  isAtFullPerformance: boolean | null;
  thermalSlowdown: boolean | null;
  powerSlowdown: boolean | null;
  hardwareSlowdown: boolean | null;
  /** Whether it is at the temperature at which it slows down. */
  isHot: boolean | null;
  persistenceMode: boolean | null;
  /** What the driver says of the NVLink fabric between the GPUs where it is not ready or not healthy; null where it is, and without one. */
  fabricTrouble: string | null;
  /** Which of its NVLinks are down; null for none, and without any. */
  nvlinkTrouble: string | null;
  /** The errors that its NVLinks had of late. */
  nvlinkErrors: string | null;
}

export type GpuFinding = Omit<GpuFault, "index" | "uuid">;

const RESET = "reset the GPU while nothing runs on it";
const REPLACE = "replace the GPU";

/** The most severe finding, or null for a GPU that can be used. A value that is missing is no finding. */
export function judgeGpu(readings: GpuReadings): GpuFinding | null {
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
    const code = /reboot/i.test(recoveryAction) ? "reboot_required" : "recovery_action";
    return { code, reason, recommendation: adviceFor(recoveryAction) };
  }
  if (readings.resetRequired) {
    return { code: "reset_required", reason: "its driver requires a reset", recommendation: RESET };
  }
  if (readings.repairPending) {
    return { code: "repair_pending", reason: "a repair waits for a reset", recommendation: RESET };
  }
  return null;
}

/** A GPU in MIG mode is offered as its MIG devices. */
export function judgeMigMode({ migMode }: GpuReadings, devices: number): GpuFinding | null {
  if (!migMode || devices > 0) return null;
  const recommendation =
    "create MIG devices with nvidia-smi mig -cgi PROFILES -C, or turn MIG mode off to offer the whole GPU";
  return { code: "mig_mode", reason: "it is in MIG mode and has no MIG devices", recommendation };
}

/** NVIDIA changed the words of some actions between drivers. */
function adviceFor(action: string): string {
  if (/drain/i.test(action)) return "drain the GPU, then reset it";
  if (/reboot/i.test(action)) return "reboot the machine";
  if (/reset|FLR/i.test(action)) return RESET;
  return "follow NVIDIA's documentation of this action";
}
