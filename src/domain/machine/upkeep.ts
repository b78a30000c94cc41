// What an operator says of a machine's near future: it is being emptied, or worked on. Pure.

export interface Upkeep {
  /** Nothing new is placed there. Workers finish what they have and end, Pods stay. */
  draining: boolean;
  /** From then on it is as good as draining, until its end. */
  maintenanceStart: number | null;
  maintenanceEnd: number | null;
  maintenanceNote: string | null;
}

/** Why nothing new is placed on a machine; null where it is. */
export function closedFor(upkeep: Upkeep, now: number): string | null {
  if (upkeep.draining) return "it is being drained";
  return inMaintenance(upkeep, now) ? "it is in maintenance" : null;
}

export function inMaintenance({ maintenanceStart, maintenanceEnd }: Upkeep, now: number): boolean {
  if (maintenanceStart === null || now < maintenanceStart) return false;
  return maintenanceEnd === null || now < maintenanceEnd;
}
