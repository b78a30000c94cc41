// Puts a job that failed back into its queue: same id, same input, same place, no old output.

import { type JobState, jobMove } from "../../domain/job/moves.ts";
import { dropPayload } from "../payload.ts";
import { change, ring, ringOne, tally, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";
import { lockJob } from "./find.ts";

/** Returns the state the job was in, or null for one that is not there; it moved if retry allows. */
export function* retryJob(
  jobId: string,
  endpointId: string,
  now: number,
): Verb<{ was: JobState; moved: boolean } | null> {
  const job = yield* lockJob(jobId);
  if (!job || job.endpoint_id !== endpointId) return null;
  if (jobMove(job.state, "retry") === null) return { was: job.state, moved: false };
  yield* dropPayload(job.output_payload);
  yield* change("delete from chunk where job_seq = ?", job.seq);
  yield* change(
    `update job set state = 'IN_QUEUE', queued_at = ?, ttl_at = ? + ttl_ms, forget_at = null, worker_id = null,
       taken_at = null, lease_until = null, retries = 0, finished_at = null, output = null,
       output_payload = null, error = null, chunks = 0, drained = 0
     where seq = ?`,
    now, // the time to live begins again, or a job that timed out would do so at once
    now,
    job.seq,
  );
  yield* tally(endpointId, now, { in_queue: 1, failed: -1, retried: -job.retries });
  yield* ringOne(topic.queue(endpointId));
  yield* ring(topic.job(jobId));
  yield* ring(topic.fleet);
  return { was: job.state, moved: true };
}
