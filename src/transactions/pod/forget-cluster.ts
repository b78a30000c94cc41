// Deletes a cluster's row with its last member.

import type { Pod } from "../../domain/pod/pod.ts";
import { lockCluster, removeCluster } from "../../store/cluster/cluster.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { hasMembers } from "../../store/pod/members.ts";

/** Called when a member is terminated. The lock makes one of two last members see the other gone. */
export function* forgetEmptyCluster({ cluster }: Pick<Pod, "cluster">): Tx<void> {
  const found = cluster && (yield* lockCluster(cluster.id));
  if (found && !(yield* hasMembers(found.id))) yield* removeCluster(found);
}
