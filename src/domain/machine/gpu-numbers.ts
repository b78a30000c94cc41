// The numbers of a machine's GPUs, by which placement assigns them. A number never passes to another UUID: the
// driver numbers the rest anew when a card disappears, and a workload must not get another's card by that. Pure.

import { wholeNumber } from "../gpu-share/gpu-share.ts";

/** Numbers by UUID, of every GPU that the machine ever had. */
export type GpuNumbers = Readonly<Record<string, number>>;

/** A GPU that is new gets the number that its driver lists it by, or the lowest one that no GPU ever had. */
export function numberGpus(before: GpuNumbers, listed: ReadonlyMap<string, number>): GpuNumbers {
  const numbers = new Map(Object.entries(before));
  const used = new Set(numbers.values());
  const added = [...listed].filter(([uuid]) => !numbers.has(uuid));
  const isFree = ([, index]: [string, number]) => !used.has(index);
  // GPUs that keep the driver's number come first, so that no other takes it.
  for (const [uuid, index] of [...added.filter(isFree), ...added.filter((gpu) => !isFree(gpu))]) {
    let number = index;
    for (let next = 0; used.has(number); next++) number = next;
    used.add(number);
    numbers.set(uuid, number);
  }
  return Object.fromEntries(numbers);
}

export const uuidByNumber = (numbers: GpuNumbers): ReadonlyMap<number, string> =>
  new Map(Object.entries(numbers).map(([uuid, number]) => [number, uuid]));

/**
 * The UUIDs of some GPUs, for a share that of its GPU. Null if a number has none: on a machine whose GPUs were declared, no number
 * has one, and its engine takes numbers; elsewhere the number would be another card's.
 */
export function uuidsOf(numbers: GpuNumbers, assigned: readonly number[]): string[] | null {
  const uuids = uuidByNumber(numbers);
  const all = assigned.flatMap((number) => uuids.get(wholeNumber(number)) ?? []);
  return all.length === assigned.length ? all : null;
}
