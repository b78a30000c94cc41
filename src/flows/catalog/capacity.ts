// What there is to rent right now: machines that were heard of lately, and what nobody has of them.

import type { Clock } from "../../base/clock.ts";
import { type Shelf, shelfOf } from "../../domain/catalog/stock.ts";
import type { Place } from "../../domain/placement/place.ts";
import type { Rhythm } from "../../domain/replica/rhythm.ts";
import { placesOf } from "../../store/place/places.ts";
import { type KnownMachine, knownMachines } from "../../store/replica/inventory.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { readUnlessUnchanged } from "../unchanged.ts";

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
  // A machine falls silent, and a maintenance begins, without a word: both are looked for each second.
  const at = Math.floor(clock.now() / 1_000) * 1_000;
  return readUnlessUnchanged(store, `capacity at ${at}`, look, at - rhythm.goneMs, at);
}

/** A machine that takes nothing new has nothing to rent. */
function* look(since: number, at: number): Verb<Capacity> {
  const all = yield* placesOf({ since, machine: null, except: null, at });
  const places = all.filter(({ closed }) => closed === null);
  return { places, shelf: shelfOf(places), most: mostOf(yield* knownMachines()) };
}

function mostOf(machines: readonly KnownMachine[]): Map<string, number> {
  const most = new Map<string, number>();
  for (const { gpuTypeId, indices } of machines.flatMap(({ inventory }) => inventory.gpus)) {
    most.set(gpuTypeId, Math.max(most.get(gpuTypeId) ?? 0, indices.length));
  }
  return most;
}
