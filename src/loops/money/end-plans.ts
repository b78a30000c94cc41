// Ends savings plans: after its end, the Pods that a plan covered are billed at their full price.

import type { Clock } from "../../base/clock.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { duePlans } from "../../store/savings-plan/savings-plan.ts";
import { endPlans } from "../../transactions/savings-plan/cover.ts";
import { Each } from "../engine/each.ts";
import type { Loop } from "../engine/loop.ts";

export function endPlansLoop({ store, clock }: { store: Store; clock: Clock }): Loop {
  return {
    name: "end-plans",
    shared: true,
    periodMs: 60_000,
    restMs: 1_000,
    topics: [topic.balance],
    async run() {
      const now = clock.now();
      const { due, nextAt } = await store.read(duePlans, now);
      const each = new Each();
      for (const family of due) await each.try(() => store.write(endPlans, family, now));
      return each.end(nextAt);
    },
  };
}
