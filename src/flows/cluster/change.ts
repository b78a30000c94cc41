// A client renames or deletes a cluster.

import type { Clock } from "../../base/clock.ts";
import type { Store } from "../../store/engine/store.ts";
import { changeName, deleteCluster } from "../../transactions/cluster/write.ts";
import { currentActor } from "../audit/action.ts";
import { throwRefusal } from "../throw-refusal.ts";

export async function renameClusterOf(
  { store }: { store: Store },
  accountId: string,
  id: string,
  name: string,
): Promise<void> {
  await throwRefusal(store.write(changeName, accountId, id, name));
}

/** Ends all members at once. */
export async function deleteClusterOf(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  id: string,
): Promise<void> {
  await throwRefusal(store.write(deleteCluster, accountId, id, clock.now(), currentActor()));
}
