// Creates the Pods of requests that wait in line, in its order. A request that may not pass an earlier one is not tried.

import { isDeepStrictEqual } from "node:util";
import { turnOf } from "../../domain/queued-pod/line.ts";
import { passedDeadline, REFUSED_SHOWN_MS } from "../../domain/queued-pod/queued-pod.ts";
import type { PodDeps } from "../../flows/pod/create.ts";
import { type LineEntry, readWaiting } from "../../flows/queued-pod/line.ts";
import { tryQueued } from "../../flows/queued-pod/start.ts";
import { topic } from "../../store/engine/notifier.ts";
import { refusedBefore } from "../../store/queued-pod/queued-pod.ts";
import { forgetRefused, noteWaiting } from "../../transactions/queued-pod/line.ts";
import { Each } from "../engine/each.ts";
import type { Loop } from "../engine/loop.ts";

export function startQueuedLoop(deps: PodDeps): Loop {
  const { store, clock } = deps;
  return {
    name: "start-queued",
    shared: true,
    periodMs: 5_000,
    restMs: 200,
    topics: [topic.queuedPods, topic.pods, topic.workloads, topic.balance],
    async run() {
      const now = clock.now();
      const { line, unoffered } = await store.read(readWaiting, deps, now);
      const each = new Each();
      for (const pod of unoffered) {
        const request = { pod, isAllowed: true, claimed: new Set<string>() };
        await each.try(() => store.write(tryQueued, deps, request, now));
      }
      const waiting: LineEntry[] = [];
      for (const entry of line) {
        const still = await each.try(() => tryInTurn(deps, entry, waiting));
        if (still !== null) waiting.push(still ?? entry);
      }
      const before = now - REFUSED_SHOWN_MS;
      if ((await store.read(refusedBefore, before)).length > 0)
        await store.write(forgetRefused, before);
      return each.end(null);
    },
  };
}

/** The request as it waits on; null if it left the line. */
async function tryInTurn(
  deps: PodDeps,
  entry: LineEntry,
  earlier: readonly LineEntry[],
): Promise<LineEntry | null> {
  const { store, clock } = deps;
  const { pod, isAllowed } = entry;
  const turn = turnOf(earlier, entry);
  if ("claimed" in turn || passedDeadline(pod, clock.now()) !== null) {
    const claimed = "claimed" in turn ? turn.claimed : entry.places;
    const waiting = await store.write(tryQueued, deps, { pod, isAllowed, claimed }, clock.now());
    return waiting && { ...entry, waiting };
  }
  const { waiting } = turn.behind;
  if (!isDeepStrictEqual(pod.waiting, waiting)) await store.write(noteWaiting, pod, waiting);
  return { ...entry, waiting };
}
