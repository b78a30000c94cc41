// What happened to a Pod.

import { type KeptPodEvent, podEvents } from "../../store/pod/events.ts";
import type { Store } from "../../store/store.ts";
import { readPod } from "./read.ts";

export type PodEventView = KeptPodEvent;

/** The newest first. */
export async function podEventsOf(
  deps: { store: Store },
  accountId: string,
  podId: string,
  part: { before: number; limit: number },
): Promise<PodEventView[]> {
  const { pod } = await readPod(deps, accountId, podId);
  return deps.store.read(podEvents, pod.id, part);
}
