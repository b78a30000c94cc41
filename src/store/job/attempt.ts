// Attempts that a job has left behind. Their workers may still report, unless they already have.

import type { JobAttempt } from "../../domain/job/job.ts";
import { change, row, rows, type Tx } from "../engine/statement.ts";

export function* insertAttempt(
  seq: number,
  { n, workerId, takenAt, endedAt, outcome }: JobAttempt,
  reported: boolean,
): Tx<void> {
  yield* change(
    `insert into attempt (job_seq, n, worker_id, taken_at, ended_at, outcome, reported)
     values (?, ?, ?, ?, ?, ?, ?)`,
    seq,
    n,
    workerId,
    takenAt,
    endedAt,
    outcome,
    Number(reported),
  );
}

/** Records that the result of an earlier attempt ended the job. */
export function* setAttemptReported(seq: number, n: number, outcome: string): Tx<void> {
  yield* change(
    "update attempt set outcome = ?, reported = 1 where job_seq = ? and n = ?",
    outcome,
    seq,
    n,
  );
}

export function* attemptsOf(seq: number): Tx<JobAttempt[]> {
  return yield* rows<JobAttempt>(
    `select n, worker_id as "workerId", taken_at as "takenAt", ended_at as "endedAt", outcome
     from attempt where job_seq = ? order by n`,
    seq,
  );
}

/** The last stored attempt, of one worker or of any, and whether its worker has reported on it. */
export function* lastAttemptOf(
  seq: number,
  workerId: string | null = null,
): Tx<{ n: number; reported: boolean } | null> {
  const found = yield* row<{ n: number; reported: number }>(
    `select n, reported from attempt
     where job_seq = ? and worker_id = coalesce(cast(? as text), worker_id)
     order by n desc limit 1`,
    seq,
    workerId,
  );
  return found ? { n: found.n, reported: found.reported === 1 } : null;
}

export function* deleteAttempts(seq: number): Tx<void> {
  yield* change("delete from attempt where job_seq = ?", seq);
}
