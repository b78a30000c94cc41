// Starts a bulk retry of the failed jobs that exist now.

import { Fault } from "../../domain/fault.ts";
import {
  type JobRetry,
  type JobRetryFilter,
  MAX_RUNNING_RETRIES,
} from "../../domain/job-retry/job-retry.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lastSeq } from "../../store/job/archive/failures.ts";
import { countRunningRetries, insertJobRetry } from "../../store/job-retry/job-retry.ts";

export function* startJobRetry(
  { id, accountId, filter }: { id: string; accountId: string; filter: JobRetryFilter },
  now: number,
): Tx<JobRetry | Fault> {
  if ((yield* countRunningRetries(accountId)) >= MAX_RUNNING_RETRIES) {
    return new Fault("too_many_job_retries", { most: MAX_RUNNING_RETRIES });
  }
  const none = { cursorSeq: 0, total: null, retried: 0, finishedAt: null };
  const last = yield* lastSeq();
  const retry: JobRetry = {
    id,
    accountId,
    filter,
    state: "RUNNING",
    lastSeq: last,
    ...none,
    createdAt: now,
  };
  yield* insertJobRetry(retry);
  return retry;
}
