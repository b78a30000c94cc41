// Ends a batch once all its jobs have ended, and deletes ended ones when their time is over.

import { type Batch, countItems } from "../../domain/batch/batch.ts";
import type { JobState } from "../../domain/job/moves.ts";
import { ENDPOINT_DELETED } from "../../domain/job/sentences.ts";
import {
  deleteBatch,
  lockBatch,
  lockOldBatches,
  setBatchState,
  setEndCounts,
} from "../../store/batch/batch.ts";
import { deleteDeliveries, hasWaitingDelivery } from "../../store/delivery/delivery.ts";
import { findEndpoint } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { countJobsOfBatch, hasLiveJobs } from "../../store/job/list/of-batch.ts";
import { deliverBatch } from "./deliver.ts";

/** The end and the webhook's delivery are one commit, so that the webhook is called for one end. */
export function* finishBatch(id: string, now: number): Tx<void> {
  const batch = yield* lockBatch(id);
  if (batch?.state !== "RUNNING" && batch?.state !== "CANCELLING") return;
  if (yield* hasLiveJobs(id)) return;
  const jobs = yield* countJobsOfBatch(id);
  const reason = batch.reason ?? ((yield* wasCutShort(batch, jobs)) ? ENDPOINT_DELETED : null);
  const isCancelled = batch.state === "CANCELLING" || reason !== null;
  const state = isCancelled ? "CANCELLED" : "COMPLETED";
  yield* setBatchState(batch, state, { reason, finishedAt: now });
  yield* setEndCounts(batch, countItems({ ...batch, state }, jobs));
  yield* deliverBatch(batch, now);
}

/** True if jobs were cancelled because the endpoint was deleted. */
function* wasCutShort(
  { endpointId, deleted }: Batch,
  jobs: ReadonlyMap<JobState, number>,
): Tx<boolean> {
  if (yield* findEndpoint(endpointId)) return false;
  return (jobs.get("CANCELLED") ?? 0) + deleted.CANCELLED > 0;
}

/** Deletes at most `limit` batches that ended before an instant. */
export function* forgetBatches(before: number, limit: number): Tx<void> {
  for (const { seq } of yield* lockOldBatches(before, limit)) {
    if (yield* hasWaitingDelivery("batch", seq)) continue;
    yield* deleteDeliveries("batch", seq);
    yield* deleteBatch(seq);
  }
}
