// What a generator has yielded so far, and how far its reader has come. Chunks are kept as long as
// the result; only the cursor moves. They belong to a dispatch: an earlier one that was taken for lost
// goes on with its own, out of sight, for its result counts if it comes first.

import { isTerminal } from "../../domain/job/moves.ts";
import { change, ring, rows, type Verb } from "../statement.ts";
import { topic } from "../wakes.ts";
import { countChunks, lastAttemptOf } from "./earlier.ts";
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
  if (isTerminal(job.state)) {
    yield* keepEvidence(job.seq, workerId, "job-stream", bytes, now);
    return "late";
  }
  if (job.worker_id !== workerId) {
    const attempt = yield* lastAttemptOf(job.seq, workerId);
    yield* insertChunk(job.seq, attempt, yield* countChunks(job.seq, attempt), piece);
    return "recorded";
  }
  yield* insertChunk(job.seq, job.attempts, job.chunks, piece);
  yield* change("update job set chunks = chunks + 1 where seq = ?", job.seq);
  yield* ring(topic.job(jobId));
  return "recorded";
}

function* insertChunk(
  seq: number,
  attempt: number,
  n: number,
  { output, metrics }: { output: string; metrics: string | null },
): Verb<void> {
  yield* change(
    "insert into chunk (job_seq, attempt, n, output, metrics) values (?, ?, ?, ?, ?)",
    seq,
    attempt,
    n,
    output,
    metrics,
  );
}

/** Chunks from number `from` on, as many as fit `maxBytes` but one at least. */
export function* readChunks(
  job: Pick<JobRow, "seq" | "attempts" | "chunks">,
  from: number,
  maxBytes: number,
): Verb<Chunk[]> {
  const chunks: Chunk[] = [];
  let bytes = 0;
  for (;;) {
    const [next] = yield* rows<Chunk>(
      `select n, output, metrics from chunk where job_seq = ? and attempt = ? and n >= ? and n < ?
       order by n limit 1`,
      job.seq,
      job.attempts,
      from + chunks.length,
      job.chunks,
    );
    if (!next) return chunks;
    bytes += Buffer.byteLength(next.output);
    if (chunks.length > 0 && bytes > maxBytes) return chunks;
    chunks.push(next);
  }
}

/**
 * Moves the cursor once the reply that carried the chunks has gone out. `read` is the job as it was
 * when they were read: the chunks of another dispatch are others, and have not been given to anybody.
 */
export function* moveCursor(read: JobRow, to: number): Verb<void> {
  yield* change(
    `update job set drained = ? where seq = ? and drained < ? and chunks >= ? and attempts = ?
       and worker_id is not distinct from ?`,
    to,
    read.seq,
    to,
    to,
    read.attempts,
    read.worker_id,
  );
}
