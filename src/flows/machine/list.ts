// The machines there are, with what they offer and what nobody has of it.

import type { Clock } from "../../base/clock.ts";
import { nothing } from "../../domain/machine/inventory.ts";
import type { RemoteMachine } from "../../domain/machine/remote.ts";
import type { Place } from "../../domain/placement/place.ts";
import type { Rhythm } from "../../domain/replica/rhythm.ts";
import { placesOf } from "../../store/place/places.ts";
import { type KnownMachine, knownMachines } from "../../store/replica/inventory.ts";
import { remoteMachines } from "../../store/replica/remote-machine.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { mustBeOperator } from "../account/operator.ts";

export interface MachineView extends KnownMachine {
  /** Whether its replica was heard of lately. */
  online: boolean;
}

/** What only one at an address of its own has. */
export type Remote = Pick<RemoteMachine, "name" | "address" | "hostKey" | "trouble">;

export interface MachineRoom extends MachineView {
  /** Null where a server runs on it. */
  remote: Remote | null;
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

/** How a machine is reached is for the operator to see. */
export async function machinesWithRoom(
  { store, clock, rhythm }: Deps,
  accountId: string,
): Promise<MachineRoom[]> {
  const at = clock.now();
  const since = at - rhythm.goneMs;
  const { machines, places, remotes } = await store.read(look, accountId, since, at);
  const open = new Map(places.map((place) => [place.machine, place.closed === null && place.free]));
  const remoteOf = new Map(remotes.map((each) => [each.id, each]));
  const known = new Set(machines.map(({ machine }) => machine));
  const unseen = remotes.filter(({ id }) => !known.has(id)).map(({ id }) => neverSeen(id));
  return onlineOf([...machines, ...unseen], since).map((each) => {
    const free = (each.online && open.get(each.machine)) || null;
    return { ...each, free, remote: remoteOf.get(each.machine) ?? null };
  });
}

interface Seen {
  machines: KnownMachine[];
  places: Place[];
  remotes: RemoteMachine[];
}

function* look(accountId: string, since: number, at: number): Verb<Seen> {
  const machines = yield* knownMachines();
  const places = yield* placesOf({ since, machine: null, except: null, at });
  const isOperator = (yield* mustBeOperator(accountId)) === null;
  return { machines, places, remotes: isOperator ? yield* remoteMachines() : [] };
}

/** One that was added, and not reached yet. */
function neverSeen(machine: string): KnownMachine {
  return { machine, drivers: [], inventory: nothing, seenAt: 0, stopped: true, ...untouched };
}

const untouched = {
  lostAt: null,
  upkeep: { draining: false, maintenanceStart: null, maintenanceEnd: null, maintenanceNote: null },
};

function onlineOf(machines: KnownMachine[], since: number): MachineView[] {
  return machines.map((each) => ({ ...each, online: !each.stopped && each.seenAt > since }));
}
