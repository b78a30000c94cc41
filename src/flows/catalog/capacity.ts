// What there is to rent right now: machines that were heard of lately, and what nobody has of them.

import type { Clock } from "../../base/clock.ts";
import { type Shelf, shelfOf } from "../../domain/catalog/stock.ts";
import type { Place } from "../../domain/placement/place.ts";
import type { Rhythm } from "../../domain/replica/rhythm.ts";
import { placesOf } from "../../store/place/places.ts";
import { type KnownMachine, knownMachines } from "../../store/replica/inventory.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";

export interface Capacity {
  places: readonly Place[];
  shelf: Shelf;
  /** The most GPUs of a type that one machine has, free or not. */
  most: ReadonlyMap<string, number>;
}

export async function capacityOf({
  store,
  clock,
  rhythm,
}: {
  store: Store;
  clock: Clock;
  rhythm: Rhythm;
}): Promise<Capacity> {
  const at = clock.now();
  const { places, machines } = await store.read(look, at - rhythm.goneMs, at);
  return { places, shelf: shelfOf(places), most: mostOf(machines) };
}

/** A machine that takes nothing new has nothing to rent. */
function* look(since: number, at: number): Verb<{ places: Place[]; machines: KnownMachine[] }> {
  const places = yield* placesOf({ since, machine: null, except: null, at });
  const open = places.filter(({ closed }) => closed === null);
  return { places: open, machines: yield* knownMachines() };
}

function mostOf(machines: readonly KnownMachine[]): Map<string, number> {
  const most = new Map<string, number>();
  for (const { gpuTypeId, indices } of machines.flatMap(({ inventory }) => inventory.gpus)) {
    most.set(gpuTypeId, Math.max(most.get(gpuTypeId) ?? 0, indices.length));
  }
  return most;
}
