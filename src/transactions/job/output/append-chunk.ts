// Appends one yield of a job's output, or a piece of one that fits a reply.

import type { Chunk } from "../../../domain/job/job.ts";
import { topic } from "../../../store/engine/notifier.ts";
import { notify, type Tx } from "../../../store/engine/statement.ts";
import { countChunks, insertChunk } from "../../../store/job/chunk.ts";
import { insertLatePost } from "../../../store/job/late-post.ts";
import { countOneChunk } from "../../../store/job/output.ts";
import { addJobBytes } from "../../storage/job-bytes.ts";
import { lockReportedJob, type PostSubject, type Reported } from "../report.ts";

/** The chunks of an earlier attempt are stored but hidden, in case its result arrives first. */
export function* appendChunk(
  subject: PostSubject,
  piece: Omit<Chunk, "n">,
  bytes: number,
  now: number,
): Tx<Reported> {
  const { jobId, workerId } = subject;
  const reported = yield* lockReportedJob(subject);
  if (!reported) return "unknown";
  const { seq } = reported.job;
  if (reported.late) {
    yield* insertLatePost(seq, { at: now, workerId, kind: "job-stream", bytes });
    return "late";
  }
  const { job, attempt } = reported;
  yield* addJobBytes(job, Buffer.byteLength(piece.output) + Buffer.byteLength(piece.metrics ?? ""));
  if (job.workerId !== workerId) {
    yield* insertChunk(seq, attempt, { ...piece, n: yield* countChunks(seq, attempt) });
    return "recorded";
  }
  yield* insertChunk(seq, job.attempts, { ...piece, n: job.chunks });
  yield* countOneChunk(seq);
  yield* notify(topic.job(jobId));
  return "recorded";
}
