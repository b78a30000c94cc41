// Moves a live job's time to live, or the end of an ended job's retention.

import { isEndedJob, isExpired } from "../../domain/job/job.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockJob } from "../../store/job/find.ts";
import { setForgetAt, setTimeToLive } from "../../store/job/retention.ts";

export function* setTtl(jobId: string, ttlMs: number, now: number): Tx<void> {
  const job = yield* lockJob(jobId);
  if (!job || isExpired(job, now)) return;
  if (isEndedJob(job)) yield* setForgetAt(job.seq, Math.max(now, job.finishedAt + ttlMs));
  else yield* setTimeToLive(job.seq, ttlMs, (job.startAt ?? job.submittedAt) + ttlMs);
}
