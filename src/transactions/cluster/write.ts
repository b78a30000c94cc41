// Inserts, changes and deletes whole clusters.

import type { Actor } from "../../domain/audit/entry.ts";
import type { Cluster } from "../../domain/cluster/cluster.ts";
import { Fault } from "../../domain/fault.ts";
import type { Labels } from "../../domain/label/labels.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import {
  addCluster,
  findCluster,
  lockCluster,
  renameCluster,
} from "../../store/cluster/cluster.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockMembers } from "../../store/pod/members.ts";
import { requireLabelBudgets } from "../money/spend.ts";
import { changePodInPlace } from "../pod/change.ts";
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

export interface ClusterChanges {
  name?: string;
  /** The labels of all its members: the cluster itself has none. */
  labels?: Labels;
}

export function* changeCluster(
  { accountId, id, changes: { name, labels } }: ClusterUpdate,
  at: number,
): Tx<Fault | null> {
  const before = yield* findCluster(id);
  if (before?.accountId !== accountId) return new Fault("cluster_not_found", { id });
  const refusal = labels ? yield* relabelMembers(id, labels, at) : null;
  if (refusal) return refusal;
  const cluster = yield* lockCluster(id);
  if (!cluster) return new Fault("cluster_not_found", { id });
  yield* renameCluster(cluster, name ?? cluster.name);
  return null;
}

interface ClusterUpdate {
  accountId: string;
  id: string;
  changes: ClusterChanges;
}

/** Members are locked before their cluster, as where it is deleted. */
function* relabelMembers(id: string, labels: Labels, at: number): Tx<Fault | null> {
  const members = yield* lockMembers(id);
  const [first] = members;
  const refusal = first ? yield* requireLabelBudgets(first, labels, at) : null;
  if (refusal) return refusal;
  for (const pod of members) yield* changePodInPlace(pod, { labels }, at);
  return null;
}
