// Which containers of dead workers are removed. Their logs remain until the worker is forgotten, unless
// the endpoint is deleted.

import { MINUTE_MS } from "../../base/units.ts";

/** An ended worker whose container still exists. */
export interface DeadWorker {
  id: string;
  endpointId: string;
  endedAt: number;
  isEndpointDeleted: boolean;
}

const KEPT_MS = 5 * MINUTE_MS;

/** The limit of one endpoint. The next worker may die before the next pass, so that there are at most 5. */
const MAX_KEPT = 4;

export function containersToRemove(
  dead: readonly DeadWorker[],
  now: number,
): { wipe: string[]; remove: string[] } {
  const remove = dead.filter(({ isEndpointDeleted }) => isEndpointDeleted);
  const newerCounts = new Map<string, number>();
  const wipe = dead
    .filter(({ isEndpointDeleted }) => !isEndpointDeleted)
    .toSorted((a, b) => b.endedAt - a.endedAt)
    .filter(({ endpointId, endedAt }) => {
      const newer = newerCounts.get(endpointId) ?? 0;
      newerCounts.set(endpointId, newer + 1);
      return newer >= MAX_KEPT || endedAt <= now - KEPT_MS;
    });
  return { wipe: wipe.map(({ id }) => id), remove: remove.map(({ id }) => id) };
}
