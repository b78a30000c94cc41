// Charges open usages. A usage that ends is charged when it ends; this loop keeps the ledger and
// the histories close behind usages that continue.

import type { Clock } from "../../base/clock.ts";
import type { Store } from "../../store/engine/store.ts";
import { chargeAll } from "../../transactions/money/charge-all.ts";
import type { Loop } from "../engine/loop.ts";

const PERIOD_MS = 60_000;
/** A transaction with more usages would delay other requests. */
const MAX_PER_TRANSACTION = 1_000;

export function meterLoop({ store, clock }: { store: Store; clock: Clock }): Loop {
  return {
    name: "meter",
    shared: true,
    periodMs: PERIOD_MS,
    restMs: PERIOD_MS / 2,
    topics: [],
    async run() {
      await chargeAll(store, clock.now(), MAX_PER_TRANSACTION);
      return null;
    },
  };
}
