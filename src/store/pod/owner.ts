// Pods by the member they belong to.

import type { Pod } from "../../domain/pod/pod.ts";
import { change, type Tx } from "../engine/statement.ts";
import { notifyPod } from "./notify.ts";
import { podsWhere } from "./read.ts";

/** Locks a member's Pods, members of clusters and sandboxes among them, but not terminated ones. */
export function* lockPodsOf(ownerId: string): Tx<Pod[]> {
  return yield* podsWhere(
    `owner_id = ? and state <> 'TERMINATED' order by id /*+ for update */`,
    ownerId,
  );
}

/** Gives Pods that are locked in this transaction to another member. */
export function* changeOwner(pods: readonly Pod[], from: string, to: string): Tx<void> {
  yield* change("update pod set owner_id = ? where owner_id = ?", to, from);
  for (const pod of pods) yield* notifyPod(pod);
}
