// The maintenance state of a machine, set by its operator: draining, in a maintenance window, or with cordoned or shared GPUs.
// Pure.

import type { GpuCordons } from "../gpu/gpu-health.ts";
import type { SharedGpus } from "../gpu-share/gpu-share.ts";

export interface Upkeep {
  /** No new workload is placed there. Workers finish their jobs and end; Pods stay. */
  draining: boolean;
  /** The maintenance window; during it, the machine is treated as draining. */
  maintenanceStart: number | null;
  maintenanceEnd: number | null;
  maintenanceNote: string | null;
  gpuCordons: GpuCordons;
  sharedGpus: SharedGpus;
}

/** Why no new workload is placed on a machine; null if it is open. */
export function closedFor(upkeep: Upkeep, now: number): string | null {
  if (upkeep.draining) return "it is being drained";
  return inMaintenance(upkeep, now) ? "it is in maintenance" : null;
}

function inMaintenance({ maintenanceStart, maintenanceEnd }: Upkeep, now: number): boolean {
  if (maintenanceStart === null || now < maintenanceStart) return false;
  return maintenanceEnd === null || now < maintenanceEnd;
}
