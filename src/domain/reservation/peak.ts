// When the most GPUs of a type are reserved at once. Pure.

import type { Reservation } from "./reservation.ts";

type Span = Pick<Reservation, "from" | "until">;
type Reserved = Span & Pick<Reservation, "gpuCount"> & Partial<Pick<Reservation, "projectId">>;

export interface Peak extends Span {
  count: number;
}

const NO_GUARANTEES: ReadonlyMap<string, number> = new Map();

/**
 * The part of a time in which the most GPUs are reserved; null if none are. With what is guaranteed to projects, by their ids, only
 * what is reserved for a project beyond its guarantee counts.
 */
export function peakWithin(
  reservations: readonly Reserved[],
  { from, until }: Span,
  guaranteed = NO_GUARANTEES,
): Peak | null {
  const overlapping = reservations.filter((each) => each.from < until && each.until > from);
  const changes = overlapping.flatMap(({ gpuCount, projectId, ...each }) => [
    { at: Math.max(from, each.from), gpus: gpuCount, projectId },
    { at: each.until, gpus: -gpuCount, projectId },
  ]);
  // What ends at an instant is gone when the next begins.
  changes.sort((a, b) => a.at - b.at || a.gpus - b.gpus);
  const beyond = countBeyond(guaranteed);
  let count = 0;
  let peak: Peak | null = null;
  for (const { at, gpus, projectId } of changes) {
    count += beyond(projectId ?? null, gpus);
    if (peak === null || count > peak.count) peak = { from: at, until: Infinity, count };
    else if (gpus < 0 && peak.until === Infinity) peak.until = at;
  }
  return peak;
}

/** How a change of what is reserved for a project changes what is reserved beyond guarantees. */
function countBeyond(guaranteed: ReadonlyMap<string, number>) {
  const reserved = new Map<string, number>();
  return (projectId: string | null, gpus: number): number => {
    const guarantee = projectId === null ? undefined : guaranteed.get(projectId);
    if (projectId === null || guarantee === undefined) return gpus;
    const before = reserved.get(projectId) ?? 0;
    const after = before + gpus;
    reserved.set(projectId, after);
    return Math.max(0, after - guarantee) - Math.max(0, before - guarantee);
  };
}
