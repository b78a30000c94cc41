// Carries out operations on all jobs that match a filter, a slice of each in turn.

import type { Clock } from "../../base/clock.ts";
import type { JobOperation } from "../../domain/job-operation/job-operation.ts";
import { isStoreUnavailable } from "../../flows/store-unavailable.ts";
import { topic } from "../../store/engine/notifier.ts";
import type { Store } from "../../store/engine/store.ts";
import { countSlice, type JobSlice, type MatchRange } from "../../store/job/list/matching.ts";
import { runningJobOperations } from "../../store/job-operation/job-operation.ts";
import {
  advanceOperation,
  rangeOf,
  recordTotal,
} from "../../transactions/job-operation/advance.ts";
import { type Loop, PartialFailure } from "../engine/loop.ts";

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
      const failures: unknown[] = [];
      let again: number | null = null;
      for (const operation of await store.read(runningJobOperations)) {
        try {
          if (await advance(store, operation, now)) again = now;
        } catch (error) {
          if (isStoreUnavailable(error)) throw error;
          failures.push(error); // one that fails does not hold up the others
        }
      }
      if (failures.length > 0) throw new PartialFailure(failures[0], again);
      return again;
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
