// Synchronizes this replica's clock with the database's every few seconds, because local clocks
// drift.

import type { ClockMeasurement, DisciplinedClock } from "../../base/disciplined-clock.ts";
import type { Store } from "../../store/engine/store.ts";
import type { Loop } from "./loop.ts";

/** Reads the database's time; null if its clock is this machine's. */
export async function measureClock(
  store: Store,
  ticks: () => number,
): Promise<ClockMeasurement | null> {
  const requestedAt = ticks();
  const time = await store.time();
  return time === null ? null : { requestedAt, time, answeredAt: ticks() };
}

export function keepTimeLoop(deps: {
  store: Store;
  clock: DisciplinedClock;
  ticks: () => number;
}): Loop {
  return {
    name: "keep-time",
    shared: false,
    periodMs: 5_000,
    restMs: 1_000,
    topics: [],
    async run() {
      const measured = await measureClock(deps.store, deps.ticks);
      if (measured) deps.clock.adjust(measured);
      return null;
    },
  };
}
