// Turns items of a batch into jobs. The jobs and the batch's position are one commit, so that each item becomes one
// job, however many replicas try and whenever the service is killed.

import type { Batch } from "../../domain/batch/batch.ts";
import type { NewJob } from "../../domain/job/job.ts";
import { ENDPOINT_DELETED, ITEMS_LOST } from "../../domain/job/sentences.ts";
import { lockBatch, setBatchState, setSubmitted } from "../../store/batch/batch.ts";
import { findEndpoint } from "../../store/endpoint/endpoint.ts";
import { type Tx, together } from "../../store/engine/statement.ts";
import { submitJob } from "../job/submit.ts";
import { dropItems } from "./drop-items.ts";

/** Submits the items that follow those which `read` had submitted. False if the batch has changed since. */
export function* submitItems(read: Batch, jobs: NewJob[]): Tx<boolean> {
  const batch = yield* lockBatch(read.id);
  if (batch?.state !== "PENDING" || batch.submitted !== read.submitted) return false;
  yield* together(jobs.map((job) => submitJob(job)));
  const submitted = batch.submitted + jobs.length;
  yield* setSubmitted(batch, submitted);
  if (submitted < batch.total) return true;
  yield* dropItems(batch);
  yield* setBatchState(batch, "RUNNING", { reason: null, finishedAt: null });
  return true;
}

/** Ends a batch once its jobs have: the items that are left are not stored any more. */
export function* endWithoutItems(read: Batch): Tx<void> {
  const batch = yield* lockBatch(read.id);
  if (batch?.state !== "PENDING" || batch.submitted !== read.submitted) return;
  yield* dropItems(batch);
  yield* setBatchState(batch, "RUNNING", { reason: ITEMS_LOST, finishedAt: null });
}

/** Cancels the items that are left, once the endpoint is deleted. */
export function* cancelOfDeleted(id: string): Tx<void> {
  const batch = yield* lockBatch(id);
  if (batch?.state !== "PENDING" || (yield* findEndpoint(batch.endpointId))) return;
  yield* dropItems(batch);
  yield* setBatchState(batch, "CANCELLING", { reason: ENDPOINT_DELETED, finishedAt: null });
}
