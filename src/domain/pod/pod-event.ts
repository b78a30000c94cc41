// Events of a Pod as its system log keeps them: a change of its desired state, or an observation of its
// container. Pure.

import type { Actor } from "../audit/entry.ts";
import type { PodState } from "./moves.ts";
import type { ContainerState, PodCause } from "./pod.ts";

/** What was done to its container, or observed of it. */
export type ContainerEvent =
  | "container_starting"
  | "image_pulling"
  | "image_pulled"
  | "container_running"
  | "container_ended"
  | "start_failed"
  | "container_gone"
  | "machine_lost"
  | "machine_back"
  | "gpu_lost"
  | "gpu_back"
  | "gpu_unhealthy"
  | "gpu_healthy"
  | "gpu_error";

/** A request for a Pod entered the line, or left it without a Pod. */
export type LineEvent = "queued" | "queue_refused";

/** What caused it: a client's key, the Pod's own key, the service, its machine or its container. */
type PodEventActor =
  | "key"
  | "pod"
  | "deadline"
  | "balance"
  | "budget"
  | "operator"
  | "service"
  | "machine"
  | "container";

export interface LoggedEvent {
  event: PodCause | ContainerEvent | LineEvent;
  /** The state before and after; both null if it changed none. */
  from: PodState | ContainerState | null;
  to: PodState | ContainerState | null;
  actor: PodEventActor;
  /** The key of the request that caused it. */
  keyId: string | null;
}

/** The actor of a cause that no client asked for. */
const ownActors: Partial<Record<PodCause, PodEventActor>> = {
  stop_after: "deadline",
  max_lifetime: "deadline",
  terminate_after: "deadline",
  no_credits: "balance",
  budget_spent: "budget",
  account_disabled: "operator",
  deleted: "operator",
  finished: "container",
};

/** `by` is undefined if no client asked for the move. */
export function moveEvent(
  cause: PodCause,
  from: PodState | null,
  to: PodState,
  by: Actor | undefined,
): LoggedEvent {
  const change = { event: cause, from, to };
  if (by?.kind === "key") return { ...change, actor: "key", keyId: by.keyId };
  const actor = by?.kind === "pod" ? "pod" : (ownActors[cause] ?? "service");
  return { ...change, actor, keyId: null };
}

export function containerEvent(
  event: ContainerEvent,
  from: ContainerState | null,
  to: ContainerState | null,
): LoggedEvent {
  const actor = event === "container_ended" ? "container" : "machine";
  return { event, from, to, actor, keyId: null };
}

/** A change of a request in line; it has no state yet. */
export function lineEvent(event: LineEvent, keyId: string): LoggedEvent {
  if (event === "queued" && keyId !== "")
    return { event, from: null, to: null, actor: "key", keyId };
  return { event, from: null, to: null, actor: "service", keyId: null };
}
