// Changing a machine by the operator: draining, the maintenance window, cordons of GPUs, and resetting its host key.

import type { Clock } from "../../base/clock.ts";
import type { Store } from "../../store/engine/store.ts";
import { saveMachineChanges, type UpkeepChanges } from "../../transactions/machine/change.ts";
import { throwRefusal } from "../throw-refusal.ts";

export type { UpkeepChanges };

export async function changeMachine(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  machine: string,
  changes: UpkeepChanges,
): Promise<void> {
  await throwRefusal(store.write(saveMachineChanges, accountId, machine, changes, clock.now()));
}
