// A client asks for a failed job again.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import { retryJob } from "../../store/job/retry.ts";
import type { Store } from "../../store/store.ts";

export async function retry(
  deps: { store: Store; clock: Clock },
  endpointId: string,
  jobId: string,
): Promise<void> {
  const result = await deps.store.write(retryJob, jobId, endpointId, deps.clock.now());
  if (!result) throw new Fault("job_not_found", { id: jobId });
  if (!result.moved) throw new Fault("not_retriable", { id: jobId, status: result.was });
}
