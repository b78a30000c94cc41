// One slice of an operation on all jobs that match. The jobs and the cursor change in one commit, so that a job is
// changed once however often the service is killed.

import type { Job } from "../../domain/job/job.ts";
import { CANCELLED } from "../../domain/job/sentences.ts";
import {
  filterOfAction,
  JOB_OPERATION_KEEP_MS,
  type JobAction,
  type JobOperation,
} from "../../domain/job-operation/job-operation.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockSlice, type MatchRange } from "../../store/job/list/matching.ts";
import {
  advanceJobOperation,
  endJobOperation,
  forgetJobOperations,
  lockJobOperation,
  setTotal,
} from "../../store/job-operation/job-operation.ts";
import { endLockedJob } from "../job/end.ts";
import { retryLockedJob } from "../job/retry.ts";

const actions: Record<JobAction, (job: Job, now: number) => Tx<unknown>> = {
  retry: retryLockedJob,
  cancel: (job, now) => endLockedJob(job, { event: "cancel", error: CANCELLED }, now),
};

/** True while there is more to do. */
export function* advanceOperation(id: string, now: number, limit: number): Tx<boolean> {
  const operation = yield* lockJobOperation(id);
  if (operation?.state !== "RUNNING") return false;
  const { found, next } = yield* lockSlice(rangeOf(operation, now), limit);
  if (next === null) {
    yield* endJobOperation(operation, "COMPLETED", now);
    yield* forgetJobOperations(now - JOB_OPERATION_KEEP_MS);
    return false;
  }
  for (const job of found) yield* actions[operation.action](job, now);
  yield* advanceJobOperation(operation, next, found.length);
  return true;
}

/** How many jobs match, counted when it starts. */
export function* recordTotal(id: string, total: number): Tx<void> {
  const operation = yield* lockJobOperation(id);
  if (operation?.total === null) yield* setTotal(operation, total);
}

/** The jobs that it has not dealt with. */
export function rangeOf(operation: JobOperation, now: number): MatchRange {
  const { accountId, action, filter, cursorSeq: after, lastSeq: upTo } = operation;
  return { accountId, filter: filterOfAction(action, filter), after, upTo, now };
}
