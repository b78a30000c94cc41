// What a generator has yielded so far, and how far its reader has come. Chunks are kept as long as
// the result; only the cursor moves.

import { isTerminal } from "../../domain/job/moves.ts";
import { change, ring, rows, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";
import { lockJob } from "./find.ts";
import { keepEvidence, mayReport, type Reported } from "./finish.ts";
import type { JobRow } from "./row.ts";

export interface Chunk {
  n: number;
  output: string;
  metrics: string | null;
}

/** Appends one yield, or a piece of one that fits a reply. */
export function* appendChunk(
  jobId: string,
  endpointId: string,
  workerId: string,
  piece: { output: string; metrics: string | null },
  bytes: number,
  now: number,
): Verb<Reported> {
  const job = yield* lockJob(jobId);
  if (!job || job.endpoint_id !== endpointId) return "unknown";
  if (!(yield* mayReport(job, workerId))) return "unknown";
  if (isTerminal(job.state) || job.worker_id !== workerId) {
    yield* keepEvidence(job.seq, workerId, "job-stream", bytes, now);
    return "late";
  }
  yield* change(
    "insert into chunk (job_seq, n, output, metrics) values (?, ?, ?, ?)",
    job.seq,
    job.chunks,
    piece.output,
    piece.metrics,
  );
  yield* change("update job set chunks = chunks + 1 where seq = ?", job.seq);
  yield* ring(topic.job(jobId));
  return "recorded";
}

/** Chunks from number `from` on, as many as fit `maxBytes` but one at least. */
export function* readChunks(seq: number, from: number, maxBytes: number): Verb<Chunk[]> {
  const chunks: Chunk[] = [];
  let bytes = 0;
  for (;;) {
    const [next] = yield* rows<Chunk>(
      "select n, output, metrics from chunk where job_seq = ? and n >= ? order by n limit 1",
      seq,
      from + chunks.length,
    );
    if (!next) return chunks;
    bytes += Buffer.byteLength(next.output);
    if (chunks.length > 0 && bytes > maxBytes) return chunks;
    chunks.push(next);
  }
}

/**
 * Moves the cursor once the reply that carried the chunks has gone out. `read` is the job as it was
 * when they were read: the chunks of a later dispatch are others, and have not been given to anybody.
 */
export function* moveCursor(read: JobRow, to: number): Verb<void> {
  yield* change(
    "update job set drained = ? where seq = ? and drained < ? and chunks >= ? and attempts = ?",
    to,
    read.seq,
    to,
    to,
    read.attempts,
  );
}
