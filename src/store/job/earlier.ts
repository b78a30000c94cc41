// What an earlier dispatch of a job has yielded, kept out of sight until its result counts.

import { change, row, type Verb } from "../statement.ts";
import type { JobRow } from "./row.ts";

export function* countChunks(seq: number, attempt: number): Verb<number> {
  const found = yield* row<{ n: number }>(
    "select count(*) as n from chunk where job_seq = ? and attempt = ?",
    seq,
    attempt,
  );
  return found!.n;
}

/** The number of the last dispatch that a worker held before. */
export function* lastAttemptOf(seq: number, workerId: string): Verb<number> {
  const found = yield* row<{ n: number }>(
    "select max(n) as n from attempt where job_seq = ? and worker_id = ?",
    seq,
    workerId,
  );
  return found!.n;
}

/** Shows the chunks of the dispatch whose result counts, where a later one had begun meanwhile. */
export function* showChunksOf(job: Pick<JobRow, "seq" | "attempts">, workerId: string): Verb<void> {
  const attempt = yield* lastAttemptOf(job.seq, workerId);
  yield* change("delete from chunk where job_seq = ? and attempt <> ?", job.seq, attempt);
  yield* change("update chunk set attempt = ? where job_seq = ?", job.attempts, job.seq);
  const chunks = yield* countChunks(job.seq, job.attempts);
  yield* change("update job set chunks = ?, drained = 0 where seq = ?", chunks, job.seq);
}
