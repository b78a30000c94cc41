// A job of any of an account's endpoints, deleted ones included, or the fault that says it is not
// there.

import { Fault } from "../../domain/fault.ts";
import { findEndpointEver } from "../../store/endpoint/endpoint.ts";
import { findJob } from "../../store/job/find.ts";
import type { JobRow } from "../../store/job/row.ts";
import type { Store } from "../../store/store.ts";

export async function findOwn(
  { store }: { store: Store },
  accountId: string,
  jobId: string,
): Promise<JobRow> {
  const job = await store.read(findJob, jobId);
  const endpoint = job && (await store.read(findEndpointEver, job.endpoint_id));
  if (endpoint?.accountId !== accountId) throw new Fault("job_not_found", { id: jobId });
  return job!;
}
