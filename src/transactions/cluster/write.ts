// Inserts, renames and deletes whole clusters.

import type { Actor } from "../../domain/audit/entry.ts";
import type { Cluster } from "../../domain/cluster/cluster.ts";
import { Fault } from "../../domain/fault.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import {
  addCluster,
  findCluster,
  lockCluster,
  renameCluster,
} from "../../store/cluster/cluster.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockMembers } from "../../store/pod/members.ts";
import { insertPod } from "../pod/insert.ts";
import { movePod } from "../pod/move.ts";

/** The places of the members were taken in the same transaction. */
export function* insertCluster(cluster: Cluster, members: readonly Pod[]): Tx<void> {
  yield* addCluster(cluster);
  for (const pod of members) yield* insertPod(pod);
}

/** Terminates all members in one commit; the cluster goes with the last. */
export function* deleteCluster(
  accountId: string,
  id: string,
  at: number,
  by: Actor | undefined,
): Tx<Fault | null> {
  const found = yield* findCluster(id);
  if (found?.accountId !== accountId) return new Fault("cluster_not_found", { id });
  for (const pod of yield* lockMembers(id)) {
    yield* movePod(pod, { event: "delete", cause: "deleted", reason: null, by, at });
  }
  return null;
}

export function* changeName(accountId: string, id: string, name: string): Tx<Cluster | Fault> {
  const found = yield* lockCluster(id);
  if (found?.accountId !== accountId) return new Fault("cluster_not_found", { id });
  yield* renameCluster(found, name);
  return { ...found, name };
}
