// Which worker of a load-balancing endpoint gets a request: the ready one with the fewest requests in
// flight. Pure.

import type { Affinity } from "./affinity.ts";

export interface Candidate {
  id: string;
  /** It passes its health checks and is not to end. */
  ready: boolean;
  /** Requests in flight, through all replicas. */
  inFlight: number;
  /** A counter of dispatches: the one used longest ago is smallest. */
  lastUsed: number;
}

export type Choice =
  | { do: "send"; workerId: string }
  /** None can take it now, but one may later. */
  | { do: "wait" }
  /** The worker that it requires does not exist any more. */
  | { do: "refuse"; why: "worker_gone" };

const NONE: ReadonlySet<string> = new Set();

/** `avoid` are workers that could not be reached a moment ago; they are used only if no other is ready. */
export function chooseWorker(
  candidates: readonly Candidate[],
  affinity: Affinity,
  avoid: ReadonlySet<string> = NONE,
): Choice {
  if (affinity.kind !== "any") {
    const wanted = candidates.find(({ id }) => id === affinity.workerId);
    if (affinity.kind === "require" && !wanted) return { do: "refuse", why: "worker_gone" };
    if (wanted?.ready) return { do: "send", workerId: wanted.id };
    if (affinity.kind === "require") return { do: "wait" };
  }
  const best = leastLoaded(candidates, avoid) ?? leastLoaded(candidates, NONE);
  return best ? { do: "send", workerId: best.id } : { do: "wait" };
}

function leastLoaded(
  workers: readonly Candidate[],
  avoid: ReadonlySet<string>,
): Candidate | undefined {
  let best: Candidate | undefined;
  for (const each of workers) {
    if (!each.ready || avoid.has(each.id)) continue;
    if (!best || each.inFlight < best.inFlight) best = each;
    else if (each.inFlight === best.inFlight && each.lastUsed < best.lastUsed) best = each;
  }
  return best;
}
