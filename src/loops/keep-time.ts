// Keeps this replica's clock to the database's. Asked every few seconds, for no machine's ticks are
// quite even.

import type { DisciplinedClock, Measurement } from "../base/disciplined-clock.ts";
import type { Store } from "../store/store.ts";
import type { Loop } from "./loop.ts";

/** Asks the database what time it is; null where its clock is this machine's own. */
export async function measureClock(store: Store, ticks: () => number): Promise<Measurement | null> {
  const askedAt = ticks();
  const time = await store.time();
  return time === null ? null : { askedAt, time, answeredAt: ticks() };
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
    async turn() {
      const measured = await measureClock(deps.store, deps.ticks);
      if (measured) deps.clock.discipline(measured);
      return null;
    },
  };
}
