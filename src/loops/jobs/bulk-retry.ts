// Carries out bulk retries, a slice of each in turn.

import type { Clock } from "../../base/clock.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { countFailures } from "../../store/job/archive/failures.ts";
import { runningJobRetries } from "../../store/job-retry/job-retry.ts";
import { rangeOf, recordTotal, retrySlice } from "../../transactions/job-retry/advance.ts";
import type { Loop } from "../engine/loop.ts";

/** Small transactions, so that requests are hardly delayed. */
const MAX_PER_TRANSACTION = 100;

export function bulkRetryLoop({ store, clock }: { store: Store; clock: Clock }): Loop {
  return {
    name: "bulk retry",
    shared: true,
    periodMs: 30_000,
    restMs: 10,
    topics: [topic.jobRetries],
    async run() {
      const now = clock.now();
      let isMore = false;
      const running = await store.read(runningJobRetries);
      for (const retry of running) {
        const { id, retried } = retry;
        if (retry.total === null) {
          const left = await store.read(countFailures, rangeOf(retry, now));
          await store.write(recordTotal, id, left + retried);
        }
        if (await store.write(retrySlice, id, now, MAX_PER_TRANSACTION)) isMore = true;
      }
      return isMore ? now : null;
    },
  };
}
