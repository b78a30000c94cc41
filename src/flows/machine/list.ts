// The machines there are, with what they offer and what nobody has of it.

import type { Clock } from "../../base/clock.ts";
import type { Place } from "../../domain/placement/place.ts";
import type { Rhythm } from "../../domain/replica/rhythm.ts";
import { placesOf } from "../../store/place/places.ts";
import { type KnownMachine, knownMachines } from "../../store/replica/inventory.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";

export interface MachineView extends KnownMachine {
  /** Whether its replica was heard of lately. */
  online: boolean;
}

export interface MachineRoom extends MachineView {
  /** What could be had now; null where it takes nothing. */
  free: Place["free"] | null;
}

interface Deps {
  store: Store;
  clock: Clock;
  rhythm: Rhythm;
}

export async function machinesThere({ store, clock, rhythm }: Deps): Promise<MachineView[]> {
  return onlineOf(await store.read(knownMachines), clock.now() - rhythm.goneMs);
}

export async function machinesWithRoom({ store, clock, rhythm }: Deps): Promise<MachineRoom[]> {
  const at = clock.now();
  const since = at - rhythm.goneMs;
  const { machines, places } = await store.read(look, since, at);
  const open = new Map(places.map((place) => [place.machine, place.closed === null && place.free]));
  return onlineOf(machines, since).map((each) => {
    return { ...each, free: (each.online && open.get(each.machine)) || null };
  });
}

function* look(since: number, at: number): Verb<{ machines: KnownMachine[]; places: Place[] }> {
  const machines = yield* knownMachines();
  return { machines, places: yield* placesOf({ since, machine: null, except: null, at }) };
}

function onlineOf(machines: KnownMachine[], since: number): MachineView[] {
  return machines.map((each) => ({ ...each, online: !each.stopped && each.seenAt > since }));
}
