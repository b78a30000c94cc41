// Leaves guaranteed GPUs out of what is free on machines. Pure.

import type { FreeGpus, Place } from "../placement/place.ts";
import type { Bound } from "./guarantee.ts";

/**
 * With `inAll` the GPUs that are left are shared among the places; otherwise each has them all. What is missing is owed, as for
 * reservations: an on-demand workload that leaves makes room only beyond it.
 */
export function withinBounds(
  places: readonly Place[],
  bounds: ReadonlyMap<string, Bound>,
  { inAll = false }: { inAll?: boolean } = {},
): Place[] {
  if (bounds.size === 0) return [...places];
  const left = new Map([...bounds].map(([typeId, { most }]) => [typeId, most]));
  const limited = (each: FreeGpus): FreeGpus => {
    const bound = bounds.get(each.typeId);
    const rest = left.get(each.typeId);
    if (bound === undefined || rest === undefined) return each;
    const indices = each.indices.slice(0, Math.max(0, rest));
    if (inAll) left.set(each.typeId, rest - indices.length);
    return {
      ...each,
      indices,
      idle: Math.min(each.idle, indices.length),
      owed: Math.max(each.owed ?? 0, -rest),
      most: Math.max(0, rest),
      guaranteed: bound.reason,
    };
  };
  return places.map((place) => {
    const gpus = place.free.gpus.map(limited);
    return { ...place, free: { ...place.free, gpus } };
  });
}

/** Without the GPU types that guarantees do not leave enough of, even where spot Pods would give way. */
export function withRoomFor(places: readonly Place[], gpuCount: number): Place[] {
  return places.map((place) => {
    const gpus = place.free.gpus.filter(({ most = gpuCount }) => most >= gpuCount);
    return { ...place, free: { ...place.free, gpus } };
  });
}
