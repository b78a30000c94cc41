// Stores lines that a worker printed with the jobs that they belong to, and how far its log is stored.

import type { JobLogPiece } from "../../domain/log/job-lines.ts";
import { topic } from "../../store/engine/notifier.ts";
import { needsNoSync, notify, type Tx, together } from "../../store/engine/statement.ts";
import { appendJobLog, type LogMark, moveLogMark, trimJobLog } from "../../store/log/job-log.ts";

export interface WorkerLines {
  worker: { id: string; endpointId: string };
  pieces: JobLogPiece[];
  /** Jobs whose log may be over the limits. */
  toTrim: string[];
  from: string | null;
  to: LogMark;
}

/** False if another replica has stored them. A power cut may undo it, and the lines are read again. */
export function* appendJobLogs({ worker, pieces, toTrim, from, to }: WorkerLines): Tx<boolean> {
  yield* needsNoSync();
  if (!(yield* moveLogMark(worker.id, from, to))) return false;
  yield* together(pieces.map((piece) => appendJobLog(worker.endpointId, worker.id, piece)));
  for (const jobId of toTrim) yield* trimJobLog(jobId);
  if (pieces.length > 0) yield* notify(topic.jobLogs(worker.endpointId));
  return true;
}
