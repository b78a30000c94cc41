// Finds a job of any of an account's endpoints, deleted ones included.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import type { Job } from "../../domain/job/job.ts";
import { findEndpointOrDeleted } from "../../store/endpoint/endpoint.ts";
import type { Store } from "../../store/engine/store.ts";
import { findJob } from "../../store/job/find.ts";

/** Throws `job_not_found` for another account's job, and for one whose retention is over. */
export async function findOwn(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  jobId: string,
): Promise<Job> {
  const job = await store.read(findJob, jobId, clock.now());
  const endpoint = job && (await store.read(findEndpointOrDeleted, job.endpointId));
  if (endpoint?.accountId !== accountId) throw new Fault("job_not_found", { id: jobId });
  return job!;
}
