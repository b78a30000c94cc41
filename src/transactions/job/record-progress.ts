// Records a running job's progress, which is shown as its output until the result replaces it.

import type { TextToStore } from "../../domain/payload.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";
import { lockJob } from "../../store/job/find.ts";
import { setProgress } from "../../store/job/output.ts";
import { bindText } from "../../store/payload/payload.ts";
import { addJobBytes, dropOutput } from "../storage/job-bytes.ts";
import type { PostSubject } from "./report.ts";

/** False if the worker does not hold the job; its post then changes nothing. */
export function* recordProgress(
  { jobId, endpointId, workerId }: PostSubject,
  output: TextToStore,
  now: number,
): Tx<boolean> {
  const job = yield* lockJob(jobId);
  if (job?.state !== "IN_PROGRESS") return false;
  if (job.endpointId !== endpointId || job.workerId !== workerId) return false;
  yield* dropOutput(job, job.output.payload);
  // A short text is part of what every row is counted as.
  if ("bytes" in output) yield* addJobBytes(job, output.bytes);
  yield* setProgress(job.seq, yield* bindText(output, now));
  yield* notify(topic.job(jobId));
  yield* notify(topic.changedWithin("job", endpointId));
  return true;
}
