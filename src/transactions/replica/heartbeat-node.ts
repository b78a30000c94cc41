// The heartbeat of a cluster's node, which tells its workloads what the cluster says of their GPUs.

import type { GpuLimits } from "../../domain/gpu/checks.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { readInventory } from "../../store/replica/inventory.ts";
import type { Replica } from "../../store/replica/replica.ts";
import { announceNodeGpus } from "../machine/gpus/announce-node-gpus.ts";
import { heartbeatManaged } from "./membership.ts";

/** `healthy` are workloads whose GPUs are. False if this replica lost the leadership. */
export function* heartbeatNode(
  node: Replica,
  healthy: readonly string[],
  { remoteId, replicaId }: { remoteId: string; replicaId: string },
  at: { now: number; limits: Pick<GpuLimits, "quarantinedPods"> },
): Tx<boolean> {
  const before = yield* readInventory(node.machine);
  if (!(yield* heartbeatManaged(node, remoteId, replicaId, at.now))) return false;
  yield* announceNodeGpus(node.machine, { before, after: node.inventory, healthy }, at);
  return true;
}
