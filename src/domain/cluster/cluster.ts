// A cluster: Pods that are placed, billed and deleted together, and the part of each in it.

export type ClusterType = "APPLICATION" | "TRAINING";

export interface Cluster {
  id: string;
  accountId: string;
  name: string;
  type: ClusterType;
  gpuTypeId: string;
  gpuCountPerPod: number;
  podCount: number;
  templateId: string | null;
  /** The range of the members' network; null if they use the networks of their machines. */
  cidr: string | null;
  createdAt: number;
}

/** A Pod's part in a cluster. Ranks and addresses stay the same for the cluster's life. */
export interface ClusterMember {
  /** The cluster's. */
  id: string;
  rank: number;
  /** The number of members. */
  count: number;
  /** The range of the members' network; null if they use the networks of their machines. */
  cidr: string | null;
  /** The fabric that the network spans; absent if all members are on one machine. */
  fabric?: string;
  /** At which the other members reach it. */
  address: string;
  /** The address of the member of rank 0, and the port on which it may listen for the others. */
  primaryAddress: string;
  primaryPort: number;
}

const LONGEST_NAME = 191;

/** The name of a member in lists of Pods. */
export function memberName(cluster: string, rank: number): string {
  const ending = `-${rank}`;
  return cluster.slice(0, LONGEST_NAME - ending.length) + ending;
}
