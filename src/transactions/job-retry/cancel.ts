// Cancels a bulk retry. What it has retried stays in its queue.

import { Fault } from "../../domain/fault.ts";
import type { JobRetry } from "../../domain/job-retry/job-retry.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { endJobRetry, findJobRetry, lockJobRetry } from "../../store/job-retry/job-retry.ts";

/** One that has ended is returned unchanged. */
export function* cancelRetry(id: string, now: number): Tx<JobRetry | Fault> {
  const retry = yield* lockJobRetry(id);
  if (retry?.state === "RUNNING") yield* endJobRetry(id, "CANCELLED", now);
  return (yield* findJobRetry(id)) ?? new Fault("job_retry_not_found", { id });
}
