// Decides which machines are lost, together with their workloads. Pure.

export interface MachineInUse {
  machine: string;
  /** The last heartbeat of its replica; null if it has no row. */
  seenAt: number | null;
}

/**
 * Machines that have been silent for `lostMs`. Silence before `since` does not count: no replica was
 * listening then.
 */
export function lostMachines(
  inUse: MachineInUse[],
  now: number,
  since: number,
  lostMs: number,
): string[] {
  return inUse
    .filter(({ seenAt }) => now >= Math.max(seenAt ?? 0, since) + lostMs)
    .map(({ machine }) => machine);
}
