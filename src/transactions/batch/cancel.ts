// Cancels a batch: no further item becomes a job, and its jobs are cancelled in slices.

import { CANCELLED } from "../../domain/job/sentences.ts";
import { lockBatch, setBatchState } from "../../store/batch/batch.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockLiveOfBatch } from "../../store/job/list/of-batch.ts";
import { endLockedJob } from "../job/end.ts";
import { dropItems } from "./drop-items.ts";

/** One that has ended is left as it is. */
export function* cancelBatch(id: string): Tx<void> {
  const batch = yield* lockBatch(id);
  if (batch?.state !== "PENDING" && batch?.state !== "RUNNING") return;
  if (batch.state === "PENDING") yield* dropItems(batch);
  yield* setBatchState(batch, "CANCELLING", { reason: null, finishedAt: null });
}

/** Cancels at most `limit` jobs of a batch that is cancelled; returns how many. */
export function* cancelJobsOfBatch(id: string, now: number, limit: number): Tx<number> {
  const jobs = yield* lockLiveOfBatch(id, limit);
  for (const job of jobs) yield* endLockedJob(job, { event: "cancel", error: CANCELLED }, now);
  return jobs.length;
}
