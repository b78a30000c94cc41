// Deletes workers that ended before an instant, with their logs.

import type { Tx } from "../../store/engine/statement.ts";
import { forgetArchivedLog } from "../../store/log/archived-log.ts";
import { forgetLogMark } from "../../store/log/job-log.ts";
import { forgetSystemLines } from "../../store/log/system-log.ts";
import { deleteWorker, workersEndedBefore } from "../../store/worker/worker.ts";

export function* forgetWorkers(before: number, limit: number): Tx<void> {
  for (const id of yield* workersEndedBefore(before, limit)) {
    yield* forgetSystemLines(id);
    yield* forgetArchivedLog(id);
    yield* forgetLogMark(id);
    yield* deleteWorker(id);
  }
}
