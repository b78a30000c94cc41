// A job of an endpoint, or the fault that says it is not there.

import { Fault } from "../../domain/fault.ts";
import { findJob } from "../../store/job/find.ts";
import type { JobRow } from "../../store/job/row.ts";
import type { Store } from "../../store/store.ts";

export async function find(
  { store }: { store: Store },
  endpointId: string,
  jobId: string,
): Promise<JobRow> {
  const job = await store.read(findJob, jobId);
  if (!job || job.endpoint_id !== endpointId) throw new Fault("job_not_found", { id: jobId });
  return job;
}
