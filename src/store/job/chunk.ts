// What a generator has yielded, by attempt. Chunks are kept as long as the result; delivery moves
// only the job's cursor. An earlier attempt keeps its own, out of sight, in case its result comes first.

import type { Chunk, Job } from "../../domain/job/job.ts";
import { change, row, type Tx } from "../engine/statement.ts";

export function* insertChunk(
  seq: number,
  attempt: number,
  { n, output, metrics }: Chunk,
): Tx<void> {
  yield* change(
    "insert into chunk (job_seq, attempt, n, output, metrics) values (?, ?, ?, ?, ?)",
    seq,
    attempt,
    n,
    output,
    metrics,
  );
}

export function* countChunks(seq: number, attempt: number): Tx<number> {
  const found = yield* row<{ n: number }>(
    "select count(*) as n from chunk where job_seq = ? and attempt = ?",
    seq,
    attempt,
  );
  return found!.n;
}

/** The present attempt's chunks from number `from` on: as many as fit `maxBytes`, but at least one. */
export function* readChunks(
  job: Pick<Job, "seq" | "attempts" | "chunks">,
  from: number,
  maxBytes: number,
): Tx<Chunk[]> {
  const chunks: Chunk[] = [];
  let bytes = 0;
  for (;;) {
    const next = yield* row<Chunk>(
      `select n, output, metrics from chunk where job_seq = ? and attempt = ? and n >= ? and n < ?
       order by n limit 1`,
      job.seq,
      job.attempts,
      from + chunks.length,
      job.chunks,
    );
    if (!next) return chunks;
    bytes += Buffer.byteLength(next.output) + Buffer.byteLength(next.metrics ?? "");
    if (chunks.length > 0 && bytes > maxBytes) return chunks;
    chunks.push(next);
  }
}

/** Keeps one attempt's chunks, as those of the present attempt, and deletes all others. */
export function* adoptChunks(seq: number, from: number, present: number): Tx<void> {
  yield* change("delete from chunk where job_seq = ? and attempt <> ?", seq, from);
  yield* change("update chunk set attempt = ? where job_seq = ?", present, seq);
}

export function* deleteChunks(seq: number): Tx<void> {
  yield* change("delete from chunk where job_seq = ?", seq);
}
