// Finds a job of any of an account's endpoints, deleted ones and archived jobs included.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import type { Job } from "../../domain/job/job.ts";
import { findEndpointOrDeleted } from "../../store/endpoint/endpoint.ts";
import type { Store } from "../../store/engine/store.ts";
import { findKeptJob } from "../../store/job/find.ts";

/** Throws `job_not_found` for another account's job, and for one that is no longer kept. */
export async function findOwn(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  jobId: string,
): Promise<Job> {
  const job = await store.read(findKeptJob, jobId, clock.now());
  const endpoint = job && (await store.read(findEndpointOrDeleted, job.endpointId));
  if (endpoint?.accountId !== accountId) throw new Fault("job_not_found", { id: jobId });
  return job!;
}
