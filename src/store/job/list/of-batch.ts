// The jobs of a batch.

import type { LiveJob } from "../../../domain/job/job.ts";
import type { JobState } from "../../../domain/job/moves.ts";
import { row, rows, type Tx } from "../../engine/statement.ts";
import { JOB_COLUMNS, type JobRow, jobFromRow } from "../row.ts";
import { LIVE } from "../state-sql.ts";

/** How many jobs of the batch are stored, by state. */
export function* countJobsOfBatch(batchId: string): Tx<Map<JobState, number>> {
  const found = yield* rows<{ state: JobState; n: number }>(
    "select state, count(*) as n from job where batch_id = ? group by state",
    batchId,
  );
  return new Map(found.map(({ state, n }) => [state, Number(n)]));
}

export function* hasLiveJobs(batchId: string): Tx<boolean> {
  const sql = `select 1 from job where batch_id = ? and ${LIVE} limit 1`;
  return (yield* row(sql, batchId)) !== undefined;
}

/** At most `limit` jobs that have not ended, locked; the first submitted first. */
export function* lockLiveOfBatch(batchId: string, limit: number): Tx<LiveJob[]> {
  const found = yield* rows<JobRow>(
    `select ${JOB_COLUMNS} from job where batch_id = ? and ${LIVE} order by seq limit ?
     /*+ for update */`,
    batchId,
    limit,
  );
  return found.map(jobFromRow) as LiveJob[];
}
