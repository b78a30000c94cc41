// A job's instants, out of its row, as its story and the explanation of it read them.

import type { JobRow } from "../../store/job/row.ts";
import type { WorkerRow } from "../../store/worker/worker.ts";

export function timesOf(job: JobRow, worker: WorkerRow | undefined) {
  return {
    id: job.id,
    state: job.state,
    submittedAt: job.submitted_at,
    queuedAt: job.queued_at,
    takenAt: job.taken_at,
    finishedAt: job.finished_at,
    error: job.error,
    worker: worker ? { createdAt: worker.created_at, readyAt: worker.ready_at } : null,
  };
}
