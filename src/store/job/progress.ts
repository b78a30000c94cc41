// A running job's progress, shown as its output until the result replaces it.

import { bindText, dropPayload, type KeptText } from "../payload.ts";
import { change, ring, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";
import { lockJob } from "./find.ts";

/** Keeps the latest value from the job's holder; late or foreign ones change nothing. */
export function* recordProgress(
  jobId: string,
  endpointId: string,
  workerId: string,
  output: KeptText,
  now: number,
): Verb<boolean> {
  const job = yield* lockJob(jobId);
  if (!job || job.endpoint_id !== endpointId) return false;
  if (job.state !== "IN_PROGRESS" || job.worker_id !== workerId) return false;
  yield* dropPayload(job.output_payload);
  const kept = yield* bindText(output, now);
  yield* change(
    "update job set output = ?, output_payload = ? where seq = ?",
    kept.inline,
    kept.payload,
    job.seq,
  );
  yield* ring(topic.job(jobId));
  return true;
}
