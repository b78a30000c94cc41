// Carries out operations on all jobs that match a filter, a slice of each in turn.

import type { Clock } from "../../base/clock.ts";
import type { JobOperation } from "../../domain/job-operation/job-operation.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { countSlice, type JobSlice, type MatchRange } from "../../store/job/list/matching.ts";
import { runningJobOperations } from "../../store/job-operation/job-operation.ts";
import {
  advanceOperation,
  rangeOf,
  recordTotal,
} from "../../transactions/job-operation/advance.ts";
import { Each } from "../engine/each.ts";
import type { Loop } from "../engine/loop.ts";

/** Small transactions, so that requests are hardly delayed. */
const MAX_PER_TRANSACTION = 100;

export function bulkOperationsLoop({ store, clock }: { store: Store; clock: Clock }): Loop {
  return {
    name: "bulk operations",
    shared: true,
    periodMs: 30_000,
    restMs: 10,
    topics: [topic.jobOperations],
    async run() {
      const now = clock.now();
      const each = new Each();
      let again: number | null = null;
      for (const operation of await store.read(runningJobOperations)) {
        if (await each.try(() => advance(store, operation, now))) again = now;
      }
      return each.end(again);
    },
  };
}

/** True while there is more to do. */
async function advance(store: Store, operation: JobOperation, now: number): Promise<boolean> {
  const { id, total, done } = operation;
  if (total === null) {
    const left = await countMatching(store, rangeOf(operation, now));
    await store.write(recordTotal, id, left + done);
  }
  return store.write(advanceOperation, id, now, MAX_PER_TRANSACTION);
}

async function countMatching(store: Store, range: MatchRange): Promise<number> {
  let count = 0;
  for (let after: number | null = range.after; after !== null; ) {
    const slice: JobSlice<number> = await store.read(countSlice, { ...range, after });
    count += slice.found;
    after = slice.next;
  }
  return count;
}
