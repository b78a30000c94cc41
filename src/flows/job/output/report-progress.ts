// A worker reports a job's progress.

import type { Clock } from "../../../base/clock.ts";
import type { Ids } from "../../../base/ids.ts";
import type { LongText } from "../../../base/json/body.ts";
import type { Store } from "../../../store/engine/store.ts";
import { recordProgress } from "../../../transactions/job/record-progress.ts";
import { storeText } from "../../payload/store-text.ts";

export async function reportProgress(
  deps: { store: Store; clock: Clock; ids: Ids },
  worker: { id: string; endpointId: string },
  jobId: string,
  output: LongText,
): Promise<void> {
  const progress = await storeText(deps, output);
  const subject = { jobId, endpointId: worker.endpointId, workerId: worker.id };
  await deps.store.write(recordProgress, subject, progress, deps.clock.now());
}
