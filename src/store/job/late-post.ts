// What workers posted for a job that had already ended, kept as evidence: the first posts of each job,
// and how many came after them.

import type { LatePost } from "../../domain/job/job.ts";
import { change, row, rows, type Tx } from "../engine/statement.ts";

/** A worker may repeat a post without end. */
const MAX_ROWS = 20;

export function* insertLatePost(
  seq: number,
  { at, workerId, kind, bytes }: Omit<LatePost, "posts"> & { kind: "job-done" | "job-stream" },
): Tx<void> {
  const last = yield* row<{ n: number }>(
    "select n from late_post where job_seq = ? order by n desc limit 1",
    seq,
  );
  if (last?.n === MAX_ROWS) {
    yield* change(
      "update late_post set posts = posts + 1 where job_seq = ? and n = ?",
      seq,
      MAX_ROWS,
    );
    return;
  }
  yield* change(
    "insert into late_post (job_seq, n, at, worker_id, kind, bytes, posts) values (?, ?, ?, ?, ?, ?, 1)",
    seq,
    (last?.n ?? 0) + 1,
    at,
    workerId,
    kind,
    bytes,
  );
}

export function* latePostsOf(seq: number): Tx<LatePost[]> {
  return yield* rows<LatePost>(
    `select at, worker_id as "workerId", kind, bytes, posts from late_post
     where job_seq = ? order by n`,
    seq,
  );
}

export function* deleteLatePosts(seq: number): Tx<void> {
  yield* change("delete from late_post where job_seq = ?", seq);
}
