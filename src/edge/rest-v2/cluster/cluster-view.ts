// A cluster as clients of REST v2 read it.

import type { Cluster } from "../../../contract/rest-v2/cluster/cluster.ts";
import type { ClusterView } from "../../../flows/cluster/read.ts";
import type { PodView } from "../../../flows/pod/read.ts";
import { instant } from "../../management/serve/instant.ts";
import { labelsRead } from "../../management/serve/labels.ts";
import { sshOf, statusOf } from "../pod/pod-view.ts";

export function clusterRead({ cluster, members, labels, owner }: ClusterView): Cluster {
  const { id, name, type, gpuTypeId, gpuCountPerPod, podCount } = cluster;
  const { templateId, cidr, createdAt } = cluster;
  const primary = members.find(({ pod }) => pod.cluster?.rank === 0);
  const dataCenterId = members[0]?.machine?.inventory.dataCenterId ?? null;
  return {
    id,
    name,
    type,
    compute: { gpuTypeId, gpuCountPerPod, podCount },
    ...(templateId !== null && { template: templateId }),
    ...(dataCenterId !== null && { dataCenterId }),
    pods: { total: members.length, byStatus: countByStatus(members) },
    ...(cidr !== null && { network: { cidr } }),
    ...(primary && { primary: primaryRead(primary) }),
    ...labelsRead({ labels }),
    createdAt: instant(createdAt),
    ...(owner && { createdBy: owner }),
  };
}

function countByStatus(members: readonly PodView[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const view of members) counts[statusOf(view)] = (counts[statusOf(view)] ?? 0) + 1;
  return counts;
}

function primaryRead(view: PodView): NonNullable<Cluster["primary"]> {
  const status = statusOf(view);
  const ssh = status === "RUNNING" ? sshOf(view.pod) : null;
  return {
    podId: view.pod.id,
    status,
    ...(ssh && { sshEndpoint: `${ssh.username}@${ssh.host}:${ssh.port}` }),
  };
}
