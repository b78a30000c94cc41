// The machines there are, with what they offer.

import type { Clock } from "../../base/clock.ts";
import type { Rhythm } from "../../domain/replica/rhythm.ts";
import { type KnownMachine, knownMachines } from "../../store/replica/inventory.ts";
import type { Store } from "../../store/store.ts";

export interface MachineView extends KnownMachine {
  /** Whether its replica was heard of lately. */
  online: boolean;
}

export async function machinesThere({
  store,
  clock,
  rhythm,
}: {
  store: Store;
  clock: Clock;
  rhythm: Rhythm;
}): Promise<MachineView[]> {
  const heard = clock.now() - rhythm.goneMs;
  const machines = await store.read(knownMachines);
  return machines.map((each) => ({ ...each, online: !each.stopped && each.seenAt > heard }));
}
