// Finds a job of an endpoint.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import type { Job } from "../../domain/job/job.ts";
import type { Store } from "../../store/engine/store.ts";
import { findJob } from "../../store/job/find.ts";

/** Throws `job_not_found` for another endpoint's job, and for one whose retention is over. */
export async function find(
  { store, clock }: { store: Store; clock: Clock },
  endpointId: string,
  jobId: string,
): Promise<Job> {
  const job = await store.read(findJob, jobId, clock.now());
  if (job?.endpointId !== endpointId) throw new Fault("job_not_found", { id: jobId });
  return job;
}
