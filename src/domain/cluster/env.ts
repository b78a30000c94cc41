// The environment variables by which the members of a cluster find each other, as torchrun and the
// libraries below it read them.

import type { ClusterMember } from "./cluster.ts";

/** The name that a container's second network has: its first is the account's. */
const NETWORK_INTERFACE = "eth1";

/** What a user's own variables may replace: the interface of the traffic between members. */
export function interfaceEnv({ cidr }: ClusterMember): Record<string, string> {
  if (cidr === null) return {};
  return { NCCL_SOCKET_IFNAME: NETWORK_INTERFACE, GLOO_SOCKET_IFNAME: NETWORK_INTERFACE };
}

export function clusterEnv(
  { rank, count, address, primaryAddress, primaryPort }: ClusterMember,
  gpuCount: number,
): Record<string, string> {
  const port = String(primaryPort);
  return {
    PRIMARY_ADDR: primaryAddress,
    PRIMARY_PORT: port,
    MASTER_ADDR: primaryAddress,
    MASTER_PORT: port,
    NODE_ADDR: address,
    NODE_RANK: String(rank),
    NUM_NODES: String(count),
    NUM_TRAINERS: String(gpuCount),
    WORLD_SIZE: String(count * gpuCount),
    HOST_NODE_ADDR: `${primaryAddress}:${port}`,
    // With several GPUs there are several processes per member, and torchrun numbers them.
    ...(gpuCount === 1 && { RANK: String(rank) }),
  };
}
