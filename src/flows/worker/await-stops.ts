// A worker asks which of its jobs it must stop. The poll is held as a take is.

import { takeStops } from "../../store/job/lease.ts";
import { topic } from "../../store/wakes.ts";
import { holdMs, type TakeDeps } from "../job/take.ts";
import { isStoreAway } from "../store-away.ts";

export async function awaitStops(
  deps: TakeDeps,
  workerId: string,
  gone: AbortSignal,
): Promise<string[]> {
  const { store, clock, protocol } = deps;
  const since = clock.now();
  const bell = store.wakes.hang(topic.worker(workerId));
  try {
    for (;;) {
      const now = clock.now();
      const ids = await stopsNow(deps, workerId, now);
      if (ids.length > 0 || gone.aborted) return ids;
      const leftMs = since + (await holdMs(deps, workerId)) - clock.now();
      if (leftMs <= 0) return [];
      await bell.wait(clock, Math.min(leftMs, protocol.stopAgainMs), gone);
      if (gone.aborted) return [];
    }
  } finally {
    bell.close();
  }
}

/** While the store is away there are none, and the poll is held to its usual end. */
async function stopsNow(
  { store, protocol }: TakeDeps,
  workerId: string,
  now: number,
): Promise<string[]> {
  try {
    return await store.write(takeStops, workerId, now, now - protocol.stopAgainMs);
  } catch (error) {
    if (!isStoreAway(error)) throw error;
    return [];
  }
}
