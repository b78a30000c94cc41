// Ends a live job without a worker's result: a client cancels or purges it, its time expires, its
// endpoint is deleted, or its worker is lost for the last time.

import { isEndedJob, type Job, type LiveJob } from "../../domain/job/job.ts";
import { type JobState, targetOf } from "../../domain/job/moves.ts";
import { TTL_QUEUED } from "../../domain/job/sentences.ts";
import { recordCounts } from "../../store/endpoint/counts.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx, together } from "../../store/engine/statement.ts";
import { type StopEvent, setStopped } from "../../store/job/end.ts";
import { lockJob, lockQueued } from "../../store/job/find.ts";
import { lockOverdueHeld, lockOverdueQueued } from "../../store/job/retention.ts";
import { lockDelayed } from "../../store/job/schedule/delay.ts";
import { recordWorkerFreed } from "../../store/worker/calls.ts";
import { endWait } from "../trace/job-spans.ts";
import { followEnd } from "./deliver.ts";
import { endAttempt } from "./end-attempt.ts";
import { touchKey } from "./schedule/admissions.ts";
import { leaveWaiting } from "./schedule/release.ts";
import { requestStop } from "./stops.ts";

/** Why a job ends without a result. */
export interface JobStop {
  event: StopEvent;
  error: string;
  /** What the job's attempt records as its outcome. Default: the error. */
  outcome?: string;
}

/** Ends the job if the table of moves allows it. Returns its state afterwards, or null if unknown. */
export function* endJob(jobId: string, stop: JobStop, now: number): Tx<JobState | null> {
  const job = yield* lockJob(jobId);
  return job ? yield* endLockedJob(job, stop, now) : null;
}

/** Ends a locked job as `endJob` does. */
export function* endLockedJob(
  job: Job,
  { event, error, outcome = error }: JobStop,
  now: number,
): Tx<JobState> {
  if (isEndedJob(job) || !(yield* setStopped(job, event, error, now))) return job.state;
  yield* leaveLive(job, outcome, now);
  const state = targetOf(event);
  if (state === "FAILED" || state === "TIMED_OUT")
    yield* recordCounts(job.endpointId, now, { failed: 1 });
  yield* followEnd(job, now);
  yield* notify(topic.job(job.id));
  yield* notify(topic.fleet);
  return state;
}

function* leaveLive(job: LiveJob, outcome: string, now: number): Tx<void> {
  yield* touchKey(job, now);
  if (job.state !== "IN_PROGRESS") {
    yield* recordCounts(job.endpointId, now, leaveWaiting(job));
    yield* endWait(job, outcome, now);
    return;
  }
  yield* recordCounts(job.endpointId, now, { in_progress: -1 });
  yield* endAttempt(job, outcome, now);
  yield* recordWorkerFreed(job.workerId, now, 0);
  yield* requestStop(job.workerId, job.id, now);
}

/**
 * Ends up to `limit` queued or delayed jobs of an endpoint; call again while it returns that many. Jobs after the sequence
 * number `upTo` stay.
 */
export function* endQueued(
  endpointId: string,
  stop: JobStop & { event: "purge" | "cancel" },
  now: number,
  limit: number,
  upTo = Number.MAX_SAFE_INTEGER,
): Tx<number> {
  let ended = 0;
  while (ended < limit) {
    // Returns fewer jobs if another replica has just claimed some of them.
    const queued = yield* lockQueued(endpointId, upTo, limit - ended);
    const waiting =
      queued.length > 0 ? queued : yield* lockDelayed(endpointId, upTo, limit - ended);
    if (waiting.length === 0) break;
    yield* together(waiting.map((job) => endLockedJob(job, stop, now)));
    ended += waiting.length;
  }
  return ended;
}

/** Ends up to `limit` queued or held jobs whose time to live is over. Returns how many. */
export function* expireQueued(now: number, limit: number): Tx<number> {
  const queued = yield* lockOverdueQueued(now, limit);
  const held = yield* lockOverdueHeld(now, limit - queued.length);
  const overdue = [...queued, ...held];
  yield* together(
    overdue.map((job) => endLockedJob(job, { event: "expire", error: TTL_QUEUED }, now)),
  );
  return overdue.length;
}
