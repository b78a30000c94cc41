// The checks of a GPU's readings whose findings leave it in placement, unless the operator says otherwise. Pure.

import { MINUTE_MS } from "../../base/units.ts";
import type { GpuFault, GpuNotice } from "./gpu-health.ts";
import type { GpuReadings } from "./judge-readings.ts";

export const checkCodes = [
  "row_remap_pending",
  "remapped_rows",
  "page_retirement_pending",
  "retired_pages",
  "ecc_errors",
  "pcie_width",
  "pcie_generation",
  "thermal_slowdown",
  "power_slowdown",
  "hardware_slowdown",
  "temperature",
  "persistence_mode",
  "fabric",
  "nvlink_down",
  "nvlink_errors",
] as const;

export type CheckCode = (typeof checkCodes)[number];

/** The thresholds of the checks, and what follows from a quarantine. */
export interface GpuLimits {
  /** For how long a slowdown, a heat or a slow link is in every reading before it is a finding. */
  lastingMinutes: number;
  remappedRows: number;
  doubleBitPages: number;
  retiredPages: number;
  /** Uncorrectable memory errors between two readings, from which the GPU is in quarantine. */
  eccErrors: number;
  /** Different workloads with an error of their own program on one GPU within a day, from which it is in quarantine. */
  failedWorkloads: number;
  /** The checks whose finding takes a GPU out of placement; the others are notices. */
  quarantine: readonly CheckCode[];
  /** The cool-down after which a GPU goes back from quarantine by itself; 0 for never. It doubles with each relapse. */
  returnMinutes: number;
  /** How many readings of the cool-down have to be clean, and all of them are. */
  cleanReadings: number;
  /** How many tests a GPU has to pass after its cool-down before it goes back by itself. */
  returnTests: number;
  /** What happens to a Pod whose GPU is put in quarantine. */
  quarantinedPods: "keep" | "stop";
  /** Whether Freehold may set the MIG layout of a GPU that nothing uses. */
  migLayouts: "keep" | "set";
}

/** NVIDIA's thresholds where it has any, as its DCGM applies them. */
export const defaultLimits: GpuLimits = {
  lastingMinutes: 6,
  remappedRows: 512,
  doubleBitPages: 16,
  retiredPages: 63,
  eccErrors: 1,
  failedWorkloads: 3,
  quarantine: [],
  returnMinutes: 0,
  cleanReadings: 3,
  returnTests: 0,
  quarantinedPods: "keep",
  migLayouts: "keep",
};

interface Finding {
  code: CheckCode;
  reason: string;
  recommendation: string;
  /** Whether it counts only once it has lasted. */
  isBrief?: true;
}

const RESET = "reset the GPU while nothing runs on it";
const CONTACT = "contact the GPU's vendor if the number rises";
const COOL = "check its cooling and the air around it";
const RESEAT = "check its slot and its riser";

/** A value that is missing is no finding. */
export function checkReadings(readings: GpuReadings, limits: GpuLimits): Finding[] {
  return [
    checkMemory(readings, limits),
    checkLink(readings),
    checkClocks(readings),
    checkNvlinks(readings),
  ].flat();
}

function checkMemory(readings: GpuReadings, limits: GpuLimits): Finding[] {
  const findings: Finding[] = [];
  const add = (code: CheckCode, reason: string, recommendation: string) =>
    findings.push({ code, reason, recommendation });
  const { remappedRows, doubleBitPages, retiredPages, eccErrors, lifetimeEccErrors } = readings;
  if (readings.rowRemapPending) {
    add("row_remap_pending", "a remapped memory row waits for a reset", RESET);
  }
  if (reaches(remappedRows, limits.remappedRows)) {
    add("remapped_rows", `${remappedRows} memory rows were remapped`, CONTACT);
  }
  if (readings.pageRetirementPending) {
    add("page_retirement_pending", "a retired memory page waits for a reset", RESET);
  }
  if (reaches(doubleBitPages, limits.doubleBitPages)) {
    const reason = `${doubleBitPages} memory pages were retired for double bit errors`;
    add("retired_pages", reason, CONTACT);
  } else if (reaches(retiredPages, limits.retiredPages)) {
    add("retired_pages", `${retiredPages} memory pages were retired`, CONTACT);
  }
  if (reaches(eccErrors, 1)) {
    const life = lifetimeEccErrors === null ? "" : `, and ${lifetimeEccErrors} in its life`;
    const reason = `its memory had ${eccErrors} uncorrectable errors since the driver was loaded${life}`;
    add("ecc_errors", reason, CONTACT);
  }
  return findings;
}

const reaches = (value: number | null, limit: number) => value !== null && value >= limit;

/** An idle GPU slows its link down to save power, but does not make it narrower. */
function checkLink(readings: GpuReadings): Finding[] {
  const { pcieWidth, maxPcieWidth, pcieGeneration, maxPcieGeneration } = readings;
  if (pcieWidth !== null && maxPcieWidth !== null && pcieWidth < maxPcieWidth) {
    const reason = `its PCIe link has ${pcieWidth} of ${maxPcieWidth} lanes`;
    return [{ code: "pcie_width", reason, recommendation: RESEAT, isBrief: true }];
  }
  if (!readings.isAtFullPerformance) return [];
  if (pcieGeneration === null || maxPcieGeneration === null) return [];
  if (pcieGeneration >= maxPcieGeneration) return [];
  const reason = `its PCIe link is of generation ${pcieGeneration} instead of ${maxPcieGeneration}`;
  return [{ code: "pcie_generation", reason, recommendation: RESEAT, isBrief: true }];
}

function checkClocks(readings: GpuReadings): Finding[] {
  const findings: Finding[] = [];
  const { thermalSlowdown, powerSlowdown, hardwareSlowdown, isHot, persistenceMode } = readings;
  const { fabricTrouble } = readings;
  const add = (code: CheckCode, reason: string, recommendation: string) =>
    findings.push({ code, reason, recommendation, isBrief: true });
  if (thermalSlowdown) {
    add("thermal_slowdown", "its hardware slows it down because it is too hot", COOL);
  } else if (isHot) {
    add("temperature", "it is at the temperature at which it slows down", COOL);
  }
  if (powerSlowdown) {
    const reason = "its hardware slows it down for the power supply";
    add("power_slowdown", reason, "check its power cables and the power supply");
  }
  if (hardwareSlowdown && !thermalSlowdown && !powerSlowdown) {
    add(
      "hardware_slowdown",
      "its hardware slows it down",
      "check its cooling and its power supply",
    );
  }
  if (fabricTrouble !== null) {
    const reason = `its NVLink fabric is not in order, and CUDA may not start on it: ${fabricTrouble}`;
    add("fabric", reason, "restart the fabric manager; then reset the GPUs");
  }
  if (persistenceMode === false) {
    const reason = "its driver is unloaded whenever nothing uses the GPU: persistence mode is off";
    const recommendation = "turn persistence mode on, best with nvidia-persistenced";
    findings.push({ code: "persistence_mode", reason, recommendation });
  }
  return findings;
}

const RETRAIN =
  "drain the machine, reset its GPUs and restart it; replace the part if it comes back";

function checkNvlinks({ nvlinkTrouble: down, nvlinkErrors: errors }: GpuReadings): Finding[] {
  const findings: Finding[] = [];
  if (down !== null) {
    findings.push({ code: "nvlink_down", reason: down, recommendation: RETRAIN, isBrief: true });
  }
  if (errors !== null) {
    findings.push({ code: "nvlink_errors", reason: `its ${errors}`, recommendation: RETRAIN });
  }
  return findings;
}

/** A GPU as it was read. */
export interface ReadGpu {
  index: number;
  uuid: string;
  readings: GpuReadings;
}

/** When findings that have to last were first read, by UUID and code. */
export type Since = ReadonlyMap<string, number>;

/** `before` is what the reading before returned as `since`. */
export function judgeChecks(
  gpus: readonly ReadGpu[],
  before: Since,
  { now, limits }: { now: number; limits: GpuLimits },
): { faults: GpuFault[]; notices: GpuNotice[]; since: Since } {
  const since = new Map<string, number>();
  const faults: GpuFault[] = [];
  const notices: GpuNotice[] = [];
  for (const { index, uuid, readings } of gpus) {
    for (const { isBrief, ...finding } of checkReadings(readings, limits)) {
      if (isBrief) {
        const key = `${uuid} ${finding.code}`;
        const at = before.get(key) ?? now;
        since.set(key, at);
        if (now < at + limits.lastingMinutes * MINUTE_MS) continue;
      }
      const list = limits.quarantine.includes(finding.code) ? faults : notices;
      list.push({ index, uuid, ...finding });
    }
  }
  return { faults, notices, since };
}
