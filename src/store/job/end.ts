// Ends a live job without a result, and moves a job back into its queue.

import type { Job } from "../../domain/job/job.ts";
import type { JobEvent } from "../../domain/job/moves.ts";
import { firstHold } from "../../domain/job/schedule/concurrency.ts";
import { change, type Tx } from "../engine/statement.ts";
import { moveSql } from "./state-sql.ts";

/** Events that end a job without a result of its worker. */
export type StopEvent = Extract<
  JobEvent,
  "cancel" | "purge" | "expire" | "overrun" | "giveUp" | "quarantine"
>;

const stopSqls = {
  cancel: stopSql("cancel"),
  purge: stopSql("purge"),
  expire: stopSql("expire"),
  overrun: stopSql("overrun"),
  giveUp: stopSql("giveUp"),
  quarantine: stopSql("quarantine"),
} satisfies Record<StopEvent, string>;

function stopSql(event: StopEvent): string {
  const { set, check } = moveSql(event);
  return `update job set ${set}, finished_at = ?, forget_at = ?, error = ?
    where seq = ? and ${check}`;
}

/** False where the table of moves forbids the event by now. */
export function* setStopped(
  { seq, failureKeepMs }: Pick<Job, "seq" | "failureKeepMs">,
  event: StopEvent,
  error: string,
  now: number,
): Tx<boolean> {
  return (yield* change(stopSqls[event], now, now + failureKeepMs, error, seq)) > 0;
}

/** Events that take a running job from its worker, and leave it to another attempt. */
export type RequeueEvent = Extract<JobEvent, "lose" | "requeue" | "backOff">;

const requeueSqls = {
  lose: requeueSql("lose"),
  requeue: requeueSql("requeue"),
  backOff: requeueSql("backOff"),
} satisfies Record<RequeueEvent, string>;

function requeueSql(event: RequeueEvent): string {
  const { set, check } = moveSql(event);
  return `update job set ${set}, worker_id = null, taken_at = null, lease_until = null,
      queued_at = ?, due_at = ?, retries = retries + ?, ended_workers = ended_workers + ?,
      output = null, output_payload = null, chunks = 0, drained = 0
    where seq = ? and ${check}`;
}

/** `at` is when it may run again. False where the table of moves forbids the event by now. */
export function* setRequeued(
  seq: number,
  event: RequeueEvent,
  counts: { retries: 0 | 1; endedWorkers: 0 | 1 },
  at: number,
): Tx<boolean> {
  const { retries, endedWorkers } = counts;
  return (yield* change(requeueSqls[event], at, at, retries, endedWorkers, seq)) > 0;
}

/** A job with a key is held until it is admitted. */
const retrySqls = {
  none: retrySql("retry", "null"),
  concurrency: retrySql("retryHeld", "'concurrency'"),
  rate: retrySql("retryHeld", "'rate'"),
};

function retrySql(event: "retry" | "retryHeld", heldBy: string): string {
  const { set, check } = moveSql(event);
  return `update job set ${set}, held_by = ${heldBy}, due_at = null, queued_at = ?, ttl_at = ? + ttl_ms, forget_at = null,
       worker_id = null, taken_at = null, lease_until = null, retries = 0, ended_workers = 0,
       archived_until = null,
       finished_at = null,
       output = null, output_payload = null, error = null, chunks = 0, drained = 0
     where seq = ? and ${check}`;
}

/** The time to live begins again, or a job that timed out would time out at once. */
export function* setRetried(
  job: Pick<Job, "seq" | "concurrency" | "rateLimit">,
  now: number,
): Tx<boolean> {
  const sql = retrySqls[firstHold(job) ?? "none"];
  return (yield* change(sql, now, now, job.seq)) > 0;
}
