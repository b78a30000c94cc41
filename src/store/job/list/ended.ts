// Ended jobs in short, for lines on a terminal.

import type { JobState } from "../../../domain/job/moves.ts";
import { row, type Tx, together } from "../../engine/statement.ts";

/** Enough for the first line of an error. */
const ERROR_CHARS = 2_000;

export interface EndedJobSummary {
  id: string;
  endpointName: string;
  state: JobState;
  queuedAt: number;
  /** Null if it ended in its queue. */
  takenAt: number | null;
  finishedAt: number;
  error: string | null;
}

/** The jobs among these that have ended and are still stored. */
export function* endedJobs(ids: string[]): Tx<EndedJobSummary[]> {
  const found = yield* together(ids.map(endedJob));
  return found.filter((job) => job !== undefined);
}

function* endedJob(id: string): Tx<EndedJobSummary | undefined> {
  return yield* row<EndedJobSummary>(
    `select job.id, endpoint.name as "endpointName", job.state, job.queued_at as "queuedAt",
       job.taken_at as "takenAt", job.finished_at as "finishedAt",
       substr(job.error, 1, ${ERROR_CHARS}) as error
     from job join endpoint on endpoint.id = job.endpoint_id
     where job.id = ? and job.finished_at is not null`,
    id,
  );
}
