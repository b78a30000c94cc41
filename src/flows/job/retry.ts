// A client retries a failed job.

import type { Clock } from "../../base/clock.ts";
import type { Store } from "../../store/engine/store.ts";
import { retryJob } from "../../transactions/job/retry.ts";
import { throwRefusal } from "../throw-refusal.ts";

export async function retry(
  deps: { store: Store; clock: Clock },
  endpointId: string,
  jobId: string,
): Promise<void> {
  await throwRefusal(deps.store.write(retryJob, jobId, endpointId, deps.clock.now()));
}
