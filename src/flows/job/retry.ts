// A failed job is retried: by a client of its queue, or by its owner, who also retries archived ones.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import type { Job } from "../../domain/job/job.ts";
import { findEndpoint } from "../../store/endpoint/endpoint.ts";
import type { Store } from "../../store/engine/store.ts";
import { retryJob, retryKeptJob } from "../../transactions/job/retry.ts";
import { throwRefusal } from "../throw-refusal.ts";

export async function retry(
  deps: { store: Store; clock: Clock },
  endpointId: string,
  jobId: string,
): Promise<void> {
  await throwRefusal(deps.store.write(retryJob, jobId, endpointId, deps.clock.now()));
}

/** Throws `endpoint_not_found` where the job's endpoint was deleted. */
export async function retryOwn(
  { store, clock }: { store: Store; clock: Clock },
  job: Job,
): Promise<void> {
  const endpoint = await store.read(findEndpoint, job.endpointId);
  if (!endpoint) throw new Fault("endpoint_not_found", { id: job.endpointId });
  await throwRefusal(store.write(retryKeptJob, job.id, clock.now()));
}
