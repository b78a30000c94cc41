// Pods as members of clusters.

import type { ClusterMember } from "../../domain/cluster/cluster.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { row, rows, type Tx } from "../engine/statement.ts";
import { podsWhere } from "./read.ts";

/** The members of a cluster by rank, without terminated ones. */
export function* membersOf(clusterId: string): Tx<Pod[]> {
  return byRank(yield* podsWhere(`cluster_id = ? and state <> 'TERMINATED'`, clusterId));
}

/** The members of all clusters of an account, without terminated ones. */
export function* allMembersOf(accountId: string): Tx<Pod[]> {
  return byRank(
    yield* podsWhere(
      `account_id = ? and cluster_id is not null and state <> 'TERMINATED'`,
      accountId,
    ),
  );
}

/** Locks the members of a cluster, but not terminated ones. */
export function* lockMembers(clusterId: string): Tx<Pod[]> {
  return yield* podsWhere(
    `cluster_id = ? and state <> 'TERMINATED' order by id
     /*+ for update */`,
    clusterId,
  );
}

export function* hasMembers(clusterId: string): Tx<boolean> {
  const sql = "select id from pod where cluster_id = ? and state <> 'TERMINATED' limit 1";
  return (yield* row(sql, clusterId)) !== undefined;
}

/** The parts of all members on some machines, terminated ones included as long as they have data. */
export function* membersOn(machines: ReadonlySet<string>): Tx<ClusterMember[]> {
  const found = yield* rows<{ machine: string; cluster: string }>(
    "select machine, cluster from pod where cluster_id is not null",
  );
  return found
    .filter(({ machine }) => machines.has(machine))
    .map(({ cluster }) => JSON.parse(cluster) as ClusterMember);
}

/** The parts of all members of clusters over a fabric, as long as they have data. */
export function* membersOver(fabric: string): Tx<ClusterMember[]> {
  const found = yield* rows<{ cluster: string }>(
    "select cluster from pod where cluster_id is not null",
  );
  return found
    .map(({ cluster }) => JSON.parse(cluster) as ClusterMember)
    .filter((member) => member.fabric === fabric);
}

const byRank = (pods: Pod[]) => pods.sort((a, b) => a.cluster!.rank - b.cluster!.rank);
