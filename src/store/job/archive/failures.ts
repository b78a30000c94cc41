// Failed jobs of an account that match a filter, archived ones included, in the order of submission.

import type { Job } from "../../../domain/job/job.ts";
import { QUARANTINED } from "../../../domain/job/sentences.ts";
import type { JobRetryFilter } from "../../../domain/job-retry/job-retry.ts";
import { row, rows, type Tx, type Value } from "../../engine/statement.ts";
import { KEPT } from "../find.ts";
import { ERROR_CONTAINS, errorPattern } from "../list/error-search.ts";
import { JOB_COLUMNS, type JobRow, jobFromRow } from "../row.ts";

interface FailureRange {
  accountId: string;
  filter: JobRetryFilter;
  /** Sequence numbers: after the first, up to the second. */
  after: number;
  upTo: number;
  now: number;
}

/** Locked; at most `most`. */
export function* lockFailures(range: FailureRange, most: number): Tx<Job[]> {
  const { where, params } = conditions(range);
  const found = yield* rows<JobRow>(
    `select ${JOB_COLUMNS} from job where ${where} order by seq limit ? /*+ for update */`,
    ...params,
    most,
  );
  return found.map(jobFromRow);
}

export function* countFailures(range: FailureRange): Tx<number> {
  const { where, params } = conditions(range);
  const found = yield* row<{ n: number }>(
    `select count(*) as n from job where ${where}`,
    ...params,
  );
  return found!.n;
}

/** The highest sequence number; 0 without jobs. */
export function* lastSeq(): Tx<number> {
  const found = yield* row<{ seq: number }>("select seq from job order by seq desc limit 1");
  return found?.seq ?? 0;
}

/** The first sequence number after another; null for none. */
export function* nextSeq(after: number): Tx<number | null> {
  const found = yield* row<{ seq: number }>(
    "select seq from job where seq > ? order by seq limit 1",
    after,
  );
  return found?.seq ?? null;
}

function conditions({ accountId, filter, after, upTo, now }: FailureRange) {
  const { endpointId, states, error, finishedAfter, finishedBefore, includeQuarantined } = filter;
  const parts: [sql: string, ...params: Value[]][] = [
    ["seq > ? and seq <= ?", after, upTo],
    [`state in (${states.map((state) => `'${state}'`).join(", ")})`],
    [KEPT, now, now],
    [
      "endpoint_id in (select id from endpoint where account_id = ? and deleted_at is null)",
      accountId,
    ],
  ];
  if (endpointId !== null) parts.push(["endpoint_id = ?", endpointId]);
  if (finishedAfter !== null) parts.push(["finished_at >= ?", finishedAfter]);
  if (finishedBefore !== null) parts.push(["finished_at < ?", finishedBefore]);
  if (error !== null) parts.push([ERROR_CONTAINS, errorPattern(error)]);
  if (!includeQuarantined) parts.push(["error not like ?", `${QUARANTINED}%`]);
  return {
    where: parts.map(([sql]) => sql).join(" and "),
    params: parts.flatMap(([, ...params]) => params),
  };
}
