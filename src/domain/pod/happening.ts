// What happens to a Pod, as the list of its events tells it: what is wanted of it changes, or what is
// seen of its container. Pure.

import type { Actor } from "../audit/entry.ts";
import type { PodState } from "./moves.ts";
import type { ContainerState, PodCause } from "./pod.ts";

/** What is done about its container, or seen of it. */
export type ContainerEvent =
  | "container_starting"
  | "image_pulling"
  | "image_pulled"
  | "container_running"
  | "container_ended"
  | "start_failed"
  | "container_gone"
  | "machine_lost"
  | "machine_back";

export type PodEventName = PodCause | ContainerEvent;

/** Where it came from: a client's key, the Pod's own, what the service looks after, or the place. */
export type PodEventActor =
  | "key"
  | "pod"
  | "deadline"
  | "balance"
  | "budget"
  | "operator"
  | "service"
  | "machine"
  | "container";

export interface Happening {
  event: PodEventName;
  /** Both null where neither what is wanted nor what is seen has changed by it. */
  was: PodState | ContainerState | null;
  became: PodState | ContainerState | null;
  actor: PodEventActor;
  /** The key that it was asked with. */
  keyId: string | null;
}

/** Whose doing it is where no client asked for it. */
const ownActors: Partial<Record<PodCause, PodEventActor>> = {
  stop_after: "deadline",
  terminate_after: "deadline",
  no_credits: "balance",
  budget_spent: "budget",
  account_disabled: "operator",
  deleted: "operator",
  finished: "container",
};

/** `by` is who asked for it, if somebody did. */
export function moved(
  cause: PodCause,
  was: PodState | null,
  became: PodState,
  by: Actor | undefined,
): Happening {
  const change = { event: cause, was, became };
  if (by?.kind === "key") return { ...change, actor: "key", keyId: by.keyId };
  const actor = by?.kind === "pod" ? "pod" : (ownActors[cause] ?? "service");
  return { ...change, actor, keyId: null };
}

export function seen(
  event: ContainerEvent,
  was: ContainerState | null,
  became: ContainerState | null,
): Happening {
  const actor = event === "container_ended" ? "container" : "machine";
  return { event, was, became, actor, keyId: null };
}
