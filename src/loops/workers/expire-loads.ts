// Removes the requests in flight of replicas that stopped reporting: they ended, and their requests did too.

import type { Clock } from "../../base/clock.ts";
import { LOAD_STALE_MS } from "../../flows/serving/request-tracker.ts";
import type { Store } from "../../store/engine/store.ts";
import { expireLoads } from "../../transactions/serving/expire-loads.ts";
import type { Loop } from "../engine/loop.ts";

export function expireLoadsLoop({ store, clock }: { store: Store; clock: Clock }): Loop {
  return {
    name: "expire_loads",
    shared: true,
    periodMs: 5_000,
    restMs: 1_000,
    topics: [],
    async run() {
      await store.write(expireLoads, clock.now() - LOAD_STALE_MS);
      return null;
    },
  };
}
