// Submits the items of batches, cancels the jobs of those that are cancelled, and ends those whose jobs have ended.

import type { Batch } from "../../domain/batch/batch.ts";
import { submitBatch } from "../../flows/batch/submit-batch.ts";
import type { SubmitDeps } from "../../flows/job/submit.ts";
import { unfinishedBatches } from "../../store/batch/batch.ts";
import { topic } from "../../store/engine/notifier.ts";
import { hasLiveJobs } from "../../store/job/list/of-batch.ts";
import { cancelJobsOfBatch } from "../../transactions/batch/cancel.ts";
import { finishBatch } from "../../transactions/batch/finish.ts";
import { Each } from "../engine/each.ts";
import type { Loop } from "../engine/loop.ts";

/** Small transactions, so that requests are hardly delayed. */
const MAX_CANCELLED_PER_TRANSACTION = 100;

export function batchesLoop(deps: Omit<SubmitDeps, "storageQuota">): Loop {
  const { store, clock } = deps;
  return {
    name: "batches",
    shared: true,
    periodMs: 5_000,
    // Every job of a batch that ends notifies the loop.
    restMs: 100,
    topics: [topic.batches],
    async run() {
      const batches = await store.read(unfinishedBatches);
      const each = new Each();
      for (const batch of batches)
        if (batch.state !== "PENDING") await each.try(() => finish(deps, batch));
      const pending = store.isFull ? [] : batches.filter(({ state }) => state === "PENDING");
      let again: number | null = null;
      for (const batch of pending) {
        const isSubmitted = await each.try(async () => {
          await submitBatch(deps, batch);
          return true;
        });
        if (!isSubmitted) continue;
        again = clock.now();
        break;
      }
      return each.end(again);
    },
  };
}

async function finish(
  { store, clock }: Pick<SubmitDeps, "store" | "clock">,
  { id, state }: Batch,
): Promise<void> {
  const limit = MAX_CANCELLED_PER_TRANSACTION;
  const cancelSome = () => store.write(cancelJobsOfBatch, id, clock.now(), limit);
  if (state === "CANCELLING") while ((await cancelSome()) === limit);
  if (!(await store.read(hasLiveJobs, id))) await store.write(finishBatch, id, clock.now());
}
