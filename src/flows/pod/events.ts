// Reads the events of a Pod.

import type { Store } from "../../store/engine/store.ts";
import { type PodEventEntry, podEvents } from "../../store/pod/events.ts";
import { readPod } from "./read.ts";

export type { PodEventEntry };

/** Newest first. */
export async function podEventsOf(
  deps: { store: Store },
  accountId: string,
  podId: string,
  part: { before: number; limit: number },
): Promise<PodEventEntry[]> {
  const { pod } = await readPod(deps, accountId, podId);
  return deps.store.read(podEvents, pod.id, part);
}
