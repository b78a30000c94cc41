// Bulk retries: an account starts, reads and cancels them. A loop carries them out.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import { Fault } from "../../domain/fault.ts";
import type { JobRetry, JobRetryFilter } from "../../domain/job-retry/job-retry.ts";
import { findEndpoint } from "../../store/endpoint/endpoint.ts";
import type { Store } from "../../store/engine/store.ts";
import { findJobRetry, listJobRetries } from "../../store/job-retry/job-retry.ts";
import { cancelRetry } from "../../transactions/job-retry/cancel.ts";
import { startJobRetry } from "../../transactions/job-retry/start.ts";
import { throwRefusal } from "../throw-refusal.ts";

interface JobRetryDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
}

const MAX_LISTED = 100;

/** Throws `endpoint_not_found` if the filter names another account's endpoint or a deleted one. */
export async function createJobRetry(
  { store, clock, ids }: JobRetryDeps,
  accountId: string,
  filter: JobRetryFilter,
): Promise<JobRetry> {
  const { endpointId } = filter;
  if (endpointId !== null) {
    const endpoint = await store.read(findEndpoint, endpointId);
    if (endpoint?.accountId !== accountId)
      throw new Fault("endpoint_not_found", { id: endpointId });
  }
  const retry = { id: ids.short(14), accountId, filter };
  return throwRefusal(store.write(startJobRetry, retry, clock.now()));
}

/** The newest first. */
export function readJobRetries({ store }: JobRetryDeps, accountId: string): Promise<JobRetry[]> {
  return store.read(listJobRetries, accountId, MAX_LISTED);
}

export async function readJobRetry(
  { store }: JobRetryDeps,
  accountId: string,
  id: string,
): Promise<JobRetry> {
  const retry = await store.read(findJobRetry, id);
  if (retry?.accountId !== accountId) throw new Fault("job_retry_not_found", { id });
  return retry;
}

/** Jobs that it has retried stay in their queues. One that has ended is returned unchanged. */
export async function cancelJobRetry(
  deps: JobRetryDeps,
  accountId: string,
  id: string,
): Promise<JobRetry> {
  await readJobRetry(deps, accountId, id);
  return throwRefusal(deps.store.write(cancelRetry, id, deps.clock.now()));
}
