// Reads the requests of an account that wait in line, and those that left it lately without a Pod.

import type { Clock } from "../../base/clock.ts";
import { type QueuedPod, REFUSED_SHOWN_MS } from "../../domain/queued-pod/queued-pod.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { findQueuedPod, queuedPodsOf } from "../../store/queued-pod/queued-pod.ts";
import { readCached } from "../read-cache.ts";
import { countAhead, type LineDeps, readLine } from "./line.ts";

export interface QueuedPodView {
  pod: QueuedPod;
  /** How many requests come before it; null if it left the line. */
  ahead: number | null;
}

type Deps = LineDeps & { store: Store; clock: Clock };

/** The newest first. */
export async function readQueuedPods(deps: Deps, accountId: string): Promise<QueuedPodView[]> {
  const pods = await readCached(deps.store, "queued Pods", queuedPodsOf, accountId);
  return pods.length === 0 ? [] : deps.store.read(viewsOf, deps, pods, deps.clock.now());
}

export async function findQueuedView(
  deps: Deps,
  accountId: string,
  id: string,
): Promise<QueuedPodView | null> {
  const pod = await deps.store.read(findQueuedPod, id);
  if (pod?.accountId !== accountId) return null;
  return (await deps.store.read(viewsOf, deps, [pod], deps.clock.now()))[0] ?? null;
}

function* viewsOf(deps: LineDeps, pods: readonly QueuedPod[], now: number): Tx<QueuedPodView[]> {
  const isWaiting = pods.some(({ refusal }) => refusal === null);
  const line = isWaiting ? yield* readLine(deps, now) : [];
  return pods
    .filter(({ refusal }) => refusal === null || refusal.at > now - REFUSED_SHOWN_MS)
    .map((pod) => ({ pod, ahead: countAhead(line, pod.id) }));
}
