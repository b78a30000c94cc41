// A client stops, restarts, resets or deletes a Pod.

import type { Clock } from "../../base/clock.ts";
import type { Actor } from "../../domain/audit/entry.ts";
import { Fault } from "../../domain/fault.ts";
import { lockedOut, type PodEvent } from "../../domain/pod/moves.ts";
import type { Pod, PodCause } from "../../domain/pod/pod.ts";
import { findPod, lockPod } from "../../store/pod/row.ts";
import { movePod, respecifyPod } from "../../store/pod/wanted.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { whoAsks } from "../audit/act.ts";

const causes = {
  stop: "stopped",
  restart: "restarted",
  reset: "reset",
  delete: "deleted",
} as const satisfies Partial<Record<PodEvent, PodCause>>;

export type ClientMove = keyof typeof causes;

export async function movePodOf(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  id: string,
  event: ClientMove,
): Promise<Pod> {
  const result = await store.write(move, accountId, id, event, clock.now(), whoAsks());
  if (result instanceof Fault) throw result;
  return result;
}

function* move(
  accountId: string,
  id: string,
  event: ClientMove,
  at: number,
  by: Actor | undefined,
): Verb<Pod | Fault> {
  const pod = yield* ownPod(accountId, id);
  if (pod instanceof Fault) return pod;
  if (pod.locked && lockedOut.has(event)) return new Fault("pod_locked", { id, event });
  if (event === "reset") yield* respecifyPod(id, pod.spec, pod);
  const moved = yield* movePod(pod, { event, cause: causes[event], reason: null, by, at });
  if (moved === "refused") return new Fault("pod_not_running", { id, event, state: pod.state });
  return (yield* findPod(id))!;
}

/** The account's own Pod, locked for the surrounding turn, or the fault that says it is not there. */
export function* ownPod(accountId: string, id: string): Verb<Pod | Fault> {
  const pod = yield* lockPod(id);
  if (pod?.accountId === accountId && pod.state !== "TERMINATED") return pod;
  return new Fault("pod_not_found", { id });
}
