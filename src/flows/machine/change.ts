// Changing a machine by the operator: draining, the maintenance window, and resetting its host key.

import type { Clock } from "../../base/clock.ts";
import type { Upkeep } from "../../domain/machine/upkeep.ts";
import type { Store } from "../../store/engine/store.ts";
import { saveMachineChanges } from "../../transactions/machine/change.ts";
import { throwRefusal } from "../throw-refusal.ts";

export async function changeMachine(
  { store }: { store: Store; clock: Clock },
  accountId: string,
  machine: string,
  changes: Partial<Upkeep>,
  newHostKey: boolean,
): Promise<void> {
  await throwRefusal(store.write(saveMachineChanges, accountId, machine, changes, newHostKey));
}
