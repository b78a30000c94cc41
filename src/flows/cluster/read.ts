// Reads clusters with their members.

import type { Cluster } from "../../domain/cluster/cluster.ts";
import { Fault } from "../../domain/fault.ts";
import { type Labels, noLabels } from "../../domain/label/labels.ts";
import type { Owned } from "../../domain/member/member.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { clustersOf, findCluster } from "../../store/cluster/cluster.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { allMembersOf, membersOf } from "../../store/pod/members.ts";
import { type PodView, viewsOf } from "../pod/read.ts";

/** It belongs to the member that its Pods belong to. */
export interface ClusterView extends Owned {
  cluster: Cluster;
  /** Its Pods by rank, without terminated ones. */
  members: PodView[];
  /** The labels of its members. */
  labels: Labels;
}

export async function readCluster(
  { store }: { store: Store },
  accountId: string,
  id: string,
): Promise<ClusterView> {
  const view = await store.read(clusterById, accountId, id);
  if (!view) throw new Fault("cluster_not_found", { id });
  return view;
}

/** Newest first. */
export function readClusters(
  { store }: { store: Store },
  accountId: string,
): Promise<ClusterView[]> {
  return store.read(allClusters, accountId);
}

function* clusterById(accountId: string, id: string): Tx<ClusterView | null> {
  const cluster = yield* findCluster(id);
  if (cluster?.accountId !== accountId) return null;
  return (yield* withMembers([cluster], yield* membersOf(id)))[0]!;
}

function* allClusters(accountId: string): Tx<ClusterView[]> {
  return yield* withMembers(yield* clustersOf(accountId), yield* allMembersOf(accountId));
}

function* withMembers(clusters: Cluster[], pods: Pod[]): Tx<ClusterView[]> {
  const views = Map.groupBy(yield* viewsOf(pods), ({ pod }) => pod.cluster!.id);
  return clusters.map((cluster) => {
    const members = views.get(cluster.id) ?? [];
    const [first] = members;
    return { cluster, members, labels: first?.pod.labels ?? noLabels, owner: first?.owner };
  });
}
