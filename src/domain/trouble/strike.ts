// Whether a trouble that is switched on strikes one request, workload or webhook.

export interface ActiveTrouble {
  /** The share of what it could strike that it strikes, above 0 and up to 1. */
  rate: number;
  /** A part of the subject that it strikes; null to strike any. */
  match: string | null;
  since: number;
  /** When it ends by itself; null if it does not. */
  until: number | null;
}

export const isActive = ({ until }: ActiveTrouble, now: number) => until === null || now < until;

/** `random` is at least 0 and below 1. */
export function isStruck(
  active: ActiveTrouble,
  { now, random, subject }: { now: number; random: number; subject: string },
): boolean {
  const { match, rate } = active;
  return isActive(active, now) && (match === null || subject.includes(match)) && random < rate;
}
