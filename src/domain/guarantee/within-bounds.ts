// Leaves guaranteed GPUs out of what is free on machines. Pure.

import type { FreeGpus, Place } from "../placement/place.ts";
import type { Bound } from "./guarantee.ts";

/**
 * Each place has all GPUs that are left. What is missing is owed, as for reservations: an on-demand workload that leaves makes room
 * only beyond it.
 */
export function withinBounds(
  places: readonly Place[],
  bounds: ReadonlyMap<string, Bound>,
): Place[] {
  if (bounds.size === 0) return [...places];
  const limited = (each: FreeGpus): FreeGpus => {
    const bound = bounds.get(each.typeId);
    if (bound === undefined) return each;
    const rest = bound.limit;
    const indices = each.indices.slice(0, Math.max(0, rest));
    return {
      ...each,
      indices,
      idle: Math.min(each.idle, indices.length),
      left: Math.min(each.left ?? rest, Math.max(0, rest)),
      owed: Math.max(each.owed ?? 0, -rest),
      limit: Math.max(0, rest),
      guaranteed: bound.reason,
    };
  };
  return places.map((place) => {
    const gpus = place.free.gpus.map(limited);
    return { ...place, free: { ...place.free, gpus } };
  });
}

/** Leaves out the GPU types that guarantees do not leave enough of, even where spot Pods would give way. */
export function withRoomFor(places: readonly Place[], gpuCount: number): Place[] {
  return places.map((place) => {
    const gpus = place.free.gpus.filter(({ limit = gpuCount }) => limit >= gpuCount);
    return { ...place, free: { ...place.free, gpus } };
  });
}
