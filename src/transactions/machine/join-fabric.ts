// What the loop of a machine records about its fabric.

import type { FabricManager } from "../../domain/fabric/fabric.ts";
import type { Tx } from "../../store/engine/statement.ts";
import {
  claimFabric,
  type Fabric,
  type FabricMachine,
  recordFabricMachine,
  saveFabricManager,
} from "../../store/fabric/fabric.ts";

/** The fabric of a name; the first machine that asks for it becomes its leader. */
export function* findOrLeadFabric(name: string, machine: string, now: number): Tx<Fabric> {
  return yield* claimFabric(name, machine, now);
}

/** Records what other machines need to join. */
export function* openFabric(name: string, manager: FabricManager): Tx<void> {
  yield* saveFabricManager(name, manager);
}

export function* recordPart(part: FabricMachine): Tx<void> {
  yield* recordFabricMachine(part);
}
