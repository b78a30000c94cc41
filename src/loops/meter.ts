// Charges what is used. Usages that end are charged when they end; this one keeps the ledger and the
// histories close behind those that go on.

import type { Clock } from "../base/clock.ts";
import { chargeAll } from "../store/money/pass.ts";
import type { Store } from "../store/store.ts";
import type { Loop } from "./loop.ts";

const PERIOD_MS = 60_000;
/** A turn of the store with more would keep other requests waiting. */
const MOST_A_TURN = 1_000;

export function meterLoop({ store, clock }: { store: Store; clock: Clock }): Loop {
  return {
    name: "meter",
    shared: true,
    periodMs: PERIOD_MS,
    restMs: PERIOD_MS / 2,
    topics: [],
    async turn() {
      await chargeAll(store, clock.now(), MOST_A_TURN);
      return null;
    },
  };
}
