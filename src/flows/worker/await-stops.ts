// A worker polls for jobs that it must stop. The poll is held like a poll for jobs.

import { routineOf } from "../../base/clock.ts";
import { topic } from "../../store/engine/notifier.ts";
import { answerStopPoll } from "../../transactions/job/stops.ts";
import { holdMs, type TakeDeps } from "../job/take.ts";
import { isStoreUnavailable } from "../store-unavailable.ts";

export async function awaitStops(
  deps: TakeDeps,
  workerId: string,
  signal: AbortSignal,
): Promise<string[]> {
  const { store, clock, protocol } = deps;
  const since = clock.ticks();
  const subscription = store.notifier.subscribe(topic.worker(workerId));
  try {
    for (let hasArrived = true; ; hasArrived = false) {
      const ids = await stopsNow(deps, workerId, hasArrived);
      if (ids.length > 0 || signal.aborted) return ids;
      const leftMs = since + (await holdMs(deps, workerId)) - clock.ticks();
      if (leftMs <= 0) return [];
      await subscription.wait(routineOf(clock), Math.min(leftMs, protocol.stopAgainMs), signal);
      if (signal.aborted) return [];
    }
  } finally {
    subscription.close();
  }
}

/** None while the store is unavailable; the poll is then held to its usual end. */
async function stopsNow(
  { store, clock, protocol }: TakeDeps,
  workerId: string,
  hasArrived: boolean,
): Promise<string[]> {
  const now = clock.now();
  const poll = { hasArrived, repeatBefore: now - protocol.stopAgainMs };
  try {
    return await store.write(answerStopPoll, workerId, poll, now);
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    return [];
  }
}
