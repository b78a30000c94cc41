// Delayed jobs: those that wait for their instant, and their release into their queue.

import type { DelayedJob } from "../../../domain/job/job.ts";
import { row, rows, type Tx } from "../../engine/statement.ts";
import { JOB_COLUMNS, type JobRow, jobFromRow } from "../row.ts";
import { DELAYED, moveSql } from "../state-sql.ts";

interface ReleasedJob {
  id: string;
  endpointId: string;
}

const release = moveSql("release");

/** Moves up to `limit` jobs without a key into their queues, whose instant has come. */
export function* setReleased(now: number, limit: number): Tx<ReleasedJob[]> {
  return yield* rows<ReleasedJob>(
    `update job set ${release.set} where seq in (
       select seq from job where ${release.where} and due_at <= ? and concurrency_key is null and rate_key is null
       order by due_at limit ? /*+ for update skip locked */)
     returning id, endpoint_id as "endpointId"`,
    now,
    limit,
  );
}

/** The instant of the next release; null where no job is delayed. */
export function* nextDue(): Tx<number | null> {
  const found = yield* row<{ at: number }>(
    `select due_at as at from job where ${DELAYED} and due_at is not null
     order by due_at limit 1`,
  );
  return found?.at ?? null;
}

/** Delayed jobs of an endpoint up to a sequence number, locked. The inner query passes no others: it needs only what their index has. */
export function* lockDelayed(endpointId: string, upTo: number, limit: number): Tx<DelayedJob[]> {
  const found = yield* rows<JobRow>(
    `select ${JOB_COLUMNS} from job where ${DELAYED} and seq in (
       select seq from job where endpoint_id = ? and ${DELAYED} and seq + 0 <= ?
       order by seq limit ? /*+ for update */)
     order by seq /*+ for update */`,
    endpointId,
    upTo,
    limit,
  );
  return found.map(jobFromRow) as DelayedJob[];
}
