// Leaderships of a replica.

import type { Tx } from "../../store/engine/statement.ts";
import { acquireLeadership } from "../../store/leadership/leadership.ts";

/** Whether the replica leads, and until when the answer holds. A free leadership becomes its own. */
export function* lead(
  name: string,
  replicaId: string,
  now: number,
  leaseMs: number,
): Tx<{ mine: boolean; until: number }> {
  return yield* acquireLeadership(name, replicaId, now, leaseMs);
}
