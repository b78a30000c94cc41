// What the endpoints of an account did since an instant, from the views `job_minute` and `job_span`. A
// read costs the same for every number of jobs.

import type { Sized } from "../../domain/job/durations.ts";
import { rows, type Tx } from "../engine/statement.ts";

export interface EndedJobsRow {
  endpointId: string;
  /** The start of the bucket. */
  at: number;
  completed: number;
  failed: number;
}

/** The jobs that ended, by endpoint and bucket. */
export function* endedJobsByBucket(
  accountId: string,
  from: number,
  bucketMs: number,
): Tx<EndedJobsRow[]> {
  const found = yield* rows<EndedJobsRow>(
    `select endpoint.id as "endpointId",
       job_minute.at / cast(? as bigint) * cast(? as bigint) as at,
       sum(job_minute.completed) as completed, sum(job_minute.failed) as failed
     from endpoint join job_minute on job_minute.endpoint_id = endpoint.id
     where endpoint.account_id = ? and endpoint.deleted_at is null and job_minute.at >= ?
     group by 1, 2 having sum(job_minute.completed + job_minute.failed) > 0`,
    bucketMs,
    bucketMs,
    accountId,
    from,
  );
  return found.map(({ endpointId, at, completed, failed }) => {
    return { endpointId, at: Number(at), completed: Number(completed), failed: Number(failed) };
  });
}

/** The execution times of the jobs that finished, by endpoint. */
export function* executionTimesSince(
  accountId: string,
  from: number,
): Tx<(Sized & { endpointId: string })[]> {
  const found = yield* rows<Sized & { endpointId: string }>(
    `select endpoint.id as "endpointId", job_span.size, sum(job_span.n) as n
     from endpoint join job_span on job_span.endpoint_id = endpoint.id
     where endpoint.account_id = ? and endpoint.deleted_at is null and job_span.at >= ?
       and job_span.what = 'execution'
     group by endpoint.id, job_span.size`,
    accountId,
    from,
  );
  return found.map(({ endpointId, size, n }) => ({ endpointId, size, n: Number(n) }));
}
