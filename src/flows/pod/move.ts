// A client stops, restarts, resets or deletes a Pod.

import type { Clock } from "../../base/clock.ts";
import type { Actor } from "../../domain/audit/entry.ts";
import { Fault } from "../../domain/fault.ts";
import { lockedOut, type PodEvent } from "../../domain/pod/moves.ts";
import { isPodOf, type Pod, type PodCause } from "../../domain/pod/pod.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { findPod, lockPod } from "../../store/pod/row.ts";
import { findQueuedPod } from "../../store/queued-pod/queued-pod.ts";
import { respecifyPod } from "../../transactions/pod/change.ts";
import { movePod } from "../../transactions/pod/move.ts";
import { currentActor } from "../audit/action.ts";
import { throwRefusal } from "../throw-refusal.ts";

const causes = {
  stop: "stopped",
  restart: "restarted",
  reset: "reset",
  delete: "deleted",
} as const satisfies Partial<Record<PodEvent, PodCause>>;

export type ClientMove = keyof typeof causes;

interface RequestedMove {
  event: ClientMove;
  at: number;
  by: Actor | undefined;
}

export function movePodOf(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  id: string,
  event: ClientMove,
): Promise<Pod> {
  const move = { event, at: clock.now(), by: currentActor() };
  return throwRefusal(store.write(movePodAs, accountId, id, move));
}

/** Moves it in a commit that may do more. */
export function* movePodAs(
  accountId: string,
  id: string,
  { event, at, by }: RequestedMove,
): Tx<Pod | Fault> {
  const pod = yield* lockOwnPod(accountId, id);
  if (pod instanceof Fault) return pod;
  const { desired, pricing } = pod;
  if (desired.locked && lockedOut.has(event)) return new Fault("pod_locked", { id, event });
  if (event === "reset") yield* respecifyPod(id, desired.spec, pricing);
  const result = yield* movePod(pod, { event, cause: causes[event], reason: null, by, at });
  if (result === "refused") {
    return new Fault("pod_not_running", { id, event, state: desired.state });
  }
  return (yield* findPod(id))!;
}

/**
 * Locks one of the account's Pods for a change; a terminated one is not found, and members of a
 * cluster change only together.
 */
export function* lockOwnPod(accountId: string, id: string): Tx<Pod | Fault> {
  const pod = yield* lockPod(id);
  if (!isPodOf(pod, accountId)) {
    const queued = yield* findQueuedPod(id);
    return new Fault(queued?.accountId === accountId ? "pod_queued" : "pod_not_found", { id });
  }
  return pod.cluster ? new Fault("cluster_member", { id, cluster: pod.cluster.id }) : pod;
}
