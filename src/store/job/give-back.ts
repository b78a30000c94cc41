// Takes a job back from its worker and puts it where it stood in the queue.

import { jobMove } from "../../domain/job/moves.ts";
import { dropPayload } from "../payload.ts";
import { change, freed, ring, ringOne, rows, tally, together, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";
import { endAttempt } from "./finish.ts";
import { JOB_COLUMNS, type JobRow } from "./row.ts";

/**
 * Takes back a job that was locked, as it is now. `lose` counts as the one re-dispatch a job has; `giveBack` is our own doing (a drain, a stop of
 * the service, a cancelled neighbour) and counts as nothing.
 */
export function* requeueRow(
  job: JobRow,
  event: "lose" | "giveBack",
  outcome: string,
  now: number,
): Verb<boolean> {
  if (jobMove(job.state, event) === null) return false;
  yield* endAttempt(job, outcome, now);
  const counted = event === "lose" ? 1 : 0;
  yield* change(
    `update job set state = 'IN_QUEUE', worker_id = null, taken_at = null, lease_until = null,
         queued_at = ?, retries = retries + ?, output = null, output_payload = null,
       chunks = 0, drained = 0
     where seq = ?`,
    now,
    counted,
    job.seq,
  );
  yield* dropPayload(job.output_payload);
  yield* freed(job.worker_id!, now, 0);
  yield* tally(job.endpoint_id, now, { in_queue: 1, in_progress: -1, retried: counted });
  yield* ringOne(topic.queue(job.endpoint_id));
  yield* ring(topic.job(job.id));
  yield* ring(topic.fleet);
  return true;
}

/** Takes back all that a worker holds. Returns how many. */
export function* giveBackAll(workerId: string, outcome: string, now: number): Verb<number> {
  const held = yield* rows<JobRow>(
    `select ${JOB_COLUMNS} from job where worker_id = ? and state = 'IN_PROGRESS'
     order by seq /*+ for update */`,
    workerId,
  );
  yield* together(held.map((job) => requeueRow(job, "giveBack", outcome, now)));
  return held.length;
}

/** Takes back one job that was claimed for a poll whose socket was already gone. */
export function* unclaim(seq: number, workerId: string, now: number): Verb<void> {
  const [job] = yield* rows<JobRow>(
    `select ${JOB_COLUMNS} from job where seq = ? and worker_id = ? and state = 'IN_PROGRESS'
     /*+ for update */`,
    seq,
    workerId,
  );
  if (job) yield* requeueRow(job, "giveBack", "the poll it was given to had gone", now);
}

/** Takes back what a worker took at an instant, where nobody knows whether it was told. */
export function* unclaimAt(workerId: string, takenAt: number, now: number): Verb<void> {
  const taken = yield* rows<JobRow>(
    `select ${JOB_COLUMNS} from job where worker_id = ? and state = 'IN_PROGRESS' and taken_at = ?`,
    workerId,
    takenAt,
  );
  for (const job of taken) {
    yield* requeueRow(job, "giveBack", "the store was lost while it was handed over", now);
  }
}
