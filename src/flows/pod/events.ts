// Reads the events of a Pod, which begin in line if it waits there.

import type { Store } from "../../store/engine/store.ts";
import { type PodEventEntry, podEvents } from "../../store/pod/events.ts";
import { findQueuedPod } from "../../store/queued-pod/queued-pod.ts";
import { readPod } from "./read.ts";

export type { PodEventEntry };

/** Newest first. */
export async function podEventsOf(
  deps: { store: Store },
  accountId: string,
  podId: string,
  part: { before: number; limit: number },
): Promise<PodEventEntry[]> {
  const queued = await deps.store.read(findQueuedPod, podId);
  if (queued?.accountId !== accountId) await readPod(deps, accountId, podId);
  return deps.store.read(podEvents, podId, part);
}
