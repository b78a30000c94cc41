// Ends a live job otherwise than by its worker's result: a client cancels or purges it, its time
// runs out, its endpoint goes, its worker was lost once too often.

import { type JobEvent, type JobState, jobMove } from "../../domain/job/moves.ts";
import { change, freed, ring, rows, tally, together, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";
import { dueDelivery } from "../webhook/delivery.ts";
import { lockJob } from "./find.ts";
import { askToStop } from "./finish.ts";
import { JOB_COLUMNS, type JobRow } from "./row.ts";

export type EndingEvent = Extract<JobEvent, "cancel" | "purge" | "expire" | "overrun" | "giveUp">;

/** Ends the job if the table of moves allows it; returns its state afterwards, or null if unknown. */
export function* endJob(
  jobId: string,
  event: EndingEvent,
  sentence: string | null,
  now: number,
): Verb<JobState | null> {
  const job = yield* lockJob(jobId);
  if (!job) return null;
  return yield* endRow(job, event, sentence, now);
}

/** The same for a job that was locked, as it is now. */
export function* endRow(
  job: JobRow,
  event: EndingEvent,
  sentence: string | null,
  now: number,
): Verb<JobState> {
  const next = jobMove(job.state, event);
  if (next === null) return job.state;
  yield* change(
    "update job set state = ?, finished_at = ?, forget_at = ?, error = ? where seq = ?",
    next,
    now,
    now + job.keep_ms,
    sentence,
    job.seq,
  );
  if (job.state === "IN_PROGRESS") {
    yield* tally(job.endpoint_id, now, { in_progress: -1 });
    yield* freed(job.worker_id!, now, 0);
    yield* askToStop(job.worker_id!, job.id, now);
  } else {
    yield* tally(job.endpoint_id, now, { in_queue: -1 });
  }
  if (next === "FAILED" || next === "TIMED_OUT")
    yield* tally(job.endpoint_id, now, { failed: 1, ever_failed: 1 });
  yield* dueDelivery(job, now);
  yield* ring(topic.job(job.id));
  yield* ring(topic.fleet);
  return next;
}

/** Ends up to `most` queued jobs of an endpoint; call again while it returns that many. */
export function* endQueued(
  endpointId: string,
  event: "purge" | "cancel",
  sentence: string,
  now: number,
  most: number,
): Verb<number> {
  let ended = 0;
  while (ended < most) {
    // Where another replica has just claimed some of them, fewer come than there are.
    const queued = yield* rows<JobRow>(
      `select ${JOB_COLUMNS} from job where endpoint_id = ? and state = 'IN_QUEUE'
       order by priority desc, seq limit ? /*+ for update */`,
      endpointId,
      most - ended,
    );
    if (queued.length === 0) break;
    yield* together(queued.map((job) => endRow(job, event, sentence, now)));
    ended += queued.length;
  }
  return ended;
}
