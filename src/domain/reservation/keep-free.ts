// Leaves reserved GPUs out of what is free on machines. Pure.

import { freeGpus, offeredGpus, type Place } from "../placement/place.ts";
import { leftFor, type Withheld, withheldText } from "./reservation.ts";

/** How many GPUs a caller asks for, and how many of a type spot Pods hold. */
export interface Demand {
  gpuCount: number;
  lentOf: (gpuTypeId: string) => number;
}

/**
 * The places as a caller sees them for whom so many GPUs of each type are not free. `everywhere` are the open machines, which
 * together keep them. Each place has all that are left.
 * `demand` is for a caller that takes GPUs from spot Pods: what its own reservation lacks owes nothing to those that come later.
 */
export function keepFree(
  places: readonly Place[],
  withheld: ReadonlyMap<string, Withheld>,
  everywhere: readonly Place[],
  demand: Demand | null = null,
): Place[] {
  if (withheld.size === 0) return [...places];
  const open = everywhere.filter(({ closed }) => closed === null);
  const left = new Map<string, number>();
  const owed = new Map<string, number>();
  const reasons = new Map<string, string>();
  for (const [typeId, each] of withheld) {
    const free = freeGpus(open, typeId);
    left.set(typeId, leftFor(free, each));
    const isItsTurn =
      demand !== null &&
      each.unfilled &&
      leftFor(free + demand.lentOf(typeId), each) >= demand.gpuCount;
    owed.set(typeId, isItsTurn ? 0 : Math.max(0, each.count - free));
    reasons.set(typeId, withheldText(each, offeredGpus(open, typeId), typeId));
  }
  return places.map((place) => {
    const gpus = place.free.gpus.map((each) => {
      const rest = left.get(each.typeId);
      const reserved = reasons.get(each.typeId);
      if (rest === undefined || reserved === undefined) return each;
      const indices = each.indices.slice(0, Math.max(0, rest));
      const idle = Math.min(each.idle, indices.length);
      return {
        ...each,
        indices,
        idle,
        left: Math.max(0, rest),
        owed: owed.get(each.typeId) ?? 0,
        reserved,
      };
    });
    return { ...place, free: { ...place.free, gpus } };
  });
}
