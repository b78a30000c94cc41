// Records an attempt that ended without its worker's result; the worker may still report.

import type { RunningJob } from "../../domain/job/job.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { insertAttempt } from "../../store/job/attempt.ts";
import { endRunOf } from "../trace/job-spans.ts";

export function* endAttempt(job: RunningJob, outcome: string, now: number): Tx<void> {
  const { seq, attempts: n, workerId, takenAt } = job;
  yield* insertAttempt(seq, { n, workerId, takenAt, endedAt: now, outcome }, false);
  yield* endRunOf(job, { lost: outcome }, now);
}
