// A client changes or deletes a cluster.

import type { Clock } from "../../base/clock.ts";
import type { Store } from "../../store/engine/store.ts";
import {
  type ClusterChanges,
  changeCluster,
  deleteCluster,
} from "../../transactions/cluster/write.ts";
import { currentActor } from "../audit/action.ts";
import { throwRefusal } from "../throw-refusal.ts";

export async function changeClusterOf(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  id: string,
  changes: ClusterChanges,
): Promise<void> {
  await throwRefusal(store.write(changeCluster, { accountId, id, changes }, clock.now()));
}

/** Ends all members at once. */
export async function deleteClusterOf(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  id: string,
): Promise<void> {
  await throwRefusal(store.write(deleteCluster, accountId, id, clock.now(), currentActor()));
}
