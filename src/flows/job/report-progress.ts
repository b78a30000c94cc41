// A worker reports how far a job has come.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { LongText } from "../../base/json/body.ts";
import { recordProgress } from "../../store/job/progress.ts";
import type { Store } from "../../store/store.ts";
import { keepText } from "../payload/keep-text.ts";

export async function reportProgress(
  deps: { store: Store; clock: Clock; ids: Ids },
  worker: { id: string; endpointId: string },
  jobId: string,
  output: LongText,
): Promise<void> {
  const kept = await keepText(deps, output);
  await deps.store.write(
    recordProgress,
    jobId,
    worker.endpointId,
    worker.id,
    kept,
    deps.clock.now(),
  );
}
