// Pods by the member they belong to.

import type { Pod } from "../../domain/pod/pod.ts";
import type { ColumnValues } from "../engine/row/columns.ts";
import { change, rows, type Tx } from "../engine/statement.ts";
import { POD_COLUMNS, podColumns } from "./columns.ts";
import { notifyPod } from "./notify.ts";

/** Locks a member's Pods, members of clusters and sandboxes among them, but not terminated ones. */
export function* lockPodsOf(ownerId: string): Tx<Pod[]> {
  const found = yield* rows<ColumnValues>(
    `select ${POD_COLUMNS} from pod where owner_id = ? and state <> 'TERMINATED' order by id /*+ for update */`,
    ownerId,
  );
  return found.map(podColumns.read);
}

/** Gives Pods that are locked in this transaction to another member. */
export function* changeOwner(pods: readonly Pod[], from: string, to: string): Tx<void> {
  yield* change("update pod set owner_id = ? where owner_id = ?", to, from);
  for (const pod of pods) yield* notifyPod(pod);
}
