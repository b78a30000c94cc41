// Which machines must be given up with all that ran on them. Pure.

export interface MachineInUse {
  machine: string;
  /** When its replica was last heard of; null where it is not known at all. */
  seenAt: number | null;
}

/**
 * Those that have been silent for `lostMs`. Before `since` nobody was there to hear them: that
 * silence counts for nothing.
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
