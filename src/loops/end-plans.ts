// Ends savings plans: from its end on, whatever one covered costs what it costs without it.

import type { Clock } from "../base/clock.ts";
import { endPlans } from "../store/savings-plan/cover.ts";
import { duePlans } from "../store/savings-plan/plan.ts";
import type { Store } from "../store/store.ts";
import { topic } from "../store/wakes.ts";
import type { Loop } from "./loop.ts";

export function endPlansLoop({ store, clock }: { store: Store; clock: Clock }): Loop {
  return {
    name: "end-plans",
    shared: true,
    periodMs: 60_000,
    restMs: 1_000,
    topics: [topic.balance],
    async turn() {
      const now = clock.now();
      const { due, nextAt } = await store.read(duePlans, now);
      for (const family of due) await store.write(endPlans, family, now);
      return nextAt;
    },
  };
}
