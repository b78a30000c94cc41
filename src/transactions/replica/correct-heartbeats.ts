// The table of replicas, kept free of heartbeats of the future and of replicas of the past.

import type { Tx } from "../../store/engine/statement.ts";
import { correctFutureHeartbeats, forgetReplicas } from "../../store/replica/replica.ts";

/** A heartbeat later than `latest` was written under a clock that has been set back since. */
export function* correctHeartbeats(latest: number, now: number): Tx<void> {
  yield* correctFutureHeartbeats(latest, now);
}

/** Forgets replicas without a heartbeat since an instant. */
export function* forgetSilentReplicas(before: number): Tx<void> {
  yield* forgetReplicas(before);
}
