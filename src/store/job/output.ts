// A job's columns about its output: progress, how many chunks there are, and how many were delivered.

import type { Job } from "../../domain/job/job.ts";
import type { StoredText } from "../../domain/payload.ts";
import { change, type Tx } from "../engine/statement.ts";

export function* setProgress(seq: number, { inline, payload }: StoredText): Tx<void> {
  yield* change(
    "update job set output = ?, output_payload = ? where seq = ?",
    inline,
    payload,
    seq,
  );
}

export function* countOneChunk(seq: number): Tx<void> {
  yield* change("update job set chunks = chunks + 1 where seq = ?", seq);
}

/** Adds to what is stored of the job. */
export function* addBytes(seq: number, bytes: number): Tx<void> {
  yield* change("update job set bytes = bytes + ? where seq = ?", bytes, seq);
}

/** Sets the number of chunks where another attempt's took their place; none of them was delivered. */
export function* setChunks(seq: number, chunks: number): Tx<void> {
  yield* change("update job set chunks = ?, drained = 0 where seq = ?", chunks, seq);
}

/**
 * Moves the cursor once the reply that carried the chunks has been sent. `read` is the job as it was
 * when they were read: another attempt has other chunks, and none of those was delivered.
 */
export function* moveCursor(
  read: Pick<Job, "seq" | "attempts" | "workerId">,
  to: number,
): Tx<void> {
  yield* change(
    `update job set drained = ? where seq = ? and drained < ? and chunks >= ? and attempts = ?
       and worker_id is not distinct from ?`,
    to,
    read.seq,
    to,
    to,
    read.attempts,
    read.workerId,
  );
}
