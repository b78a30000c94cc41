// One slice of a bulk retry. The jobs and the cursor change in one commit, so that a job is retried once however
// often the service is killed.

import { JOB_RETRY_KEEP_MS, type JobRetry } from "../../domain/job-retry/job-retry.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockFailures, nextSeq } from "../../store/job/archive/failures.ts";
import {
  advanceJobRetry,
  endJobRetry,
  forgetJobRetries,
  lockJobRetry,
  setRetryTotal,
} from "../../store/job-retry/job-retry.ts";
import { retryLockedJob } from "../job/retry.ts";

/** How many sequence numbers a slice looks at, so that it is short where few jobs match. */
const WINDOW = 5_000;

/** True while there is more to do. */
export function* retrySlice(id: string, now: number, most: number): Tx<boolean> {
  const retry = yield* lockJobRetry(id);
  if (retry?.state !== "RUNNING") return false;
  const from = yield* nextSeq(retry.cursorSeq);
  if (from === null || from > retry.lastSeq) {
    yield* endJobRetry(id, "COMPLETED", now);
    yield* forgetJobRetries(now - JOB_RETRY_KEEP_MS);
    return false;
  }
  const upTo = Math.min(retry.lastSeq, from - 1 + WINDOW);
  const jobs = yield* lockFailures({ ...rangeOf(retry, now), upTo }, most);
  for (const job of jobs) yield* retryLockedJob(job, now);
  yield* advanceJobRetry(id, jobs.length === most ? jobs.at(-1)!.seq : upTo, jobs.length);
  return true;
}

/** How many jobs match, counted when it starts. */
export function* recordTotal(id: string, total: number): Tx<void> {
  if ((yield* lockJobRetry(id))?.total === null) yield* setRetryTotal(id, total);
}

/** The jobs that it has not dealt with. */
export function rangeOf(
  { accountId, filter, cursorSeq: after, lastSeq: upTo }: JobRetry,
  now: number,
) {
  return { accountId, filter, after, upTo, now };
}
