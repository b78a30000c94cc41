// All jobs of an account that match a filter, failures beyond their retention included, in the order of
// submission. A slice looks at a limited range of sequence numbers, so that it is short where few jobs match.

import type { Job } from "../../../domain/job/job.ts";
import type { JobFilter } from "../../../domain/job/job-filter.ts";
import { row, rows, type Tx } from "../../engine/statement.ts";
import { JOB_COLUMNS, type JobRow, jobFromRow } from "../row.ts";
import {
  allOf,
  type Condition,
  condition,
  indexedConditions,
  searchedConditions,
  visibleAt,
} from "./conditions.ts";

export interface MatchRange {
  accountId: string;
  filter: JobFilter;
  /** Sequence numbers: after the first, up to the second. */
  after: number;
  upTo: number;
  now: number;
}

/** How many sequence numbers a slice looks at. */
const WINDOW = 5_000;
const COUNT_WINDOW = 20_000;

export interface JobSlice<Found> {
  found: Found;
  /** The sequence number up to which all jobs were looked at; null if that is all. */
  next: number | null;
}

/** At most `limit` jobs, locked. */
export function* lockSlice(range: MatchRange, limit: number): Tx<JobSlice<Job[]>> {
  return yield* jobSlice(range, limit, "/*+ for update */");
}

/** At most `limit` jobs. */
export function* readSlice(range: MatchRange, limit: number): Tx<JobSlice<Job[]>> {
  return yield* jobSlice(range, limit, "");
}

function* jobSlice(range: MatchRange, limit: number, hint: string): Tx<JobSlice<Job[]>> {
  const upTo = yield* windowEnd(range, WINDOW);
  if (upTo === null) return { found: [], next: null };
  const { sql, params } = conditionsOf({ ...range, upTo });
  const found = yield* rows<JobRow>(
    `select ${JOB_COLUMNS} from job where ${sql} order by seq limit ? ${hint}`,
    ...params,
    limit,
  );
  const jobs = found.map(jobFromRow);
  return { found: jobs, next: jobs.length === limit ? jobs.at(-1)!.seq : upTo };
}

export function* countSlice(range: MatchRange): Tx<JobSlice<number>> {
  const upTo = yield* windowEnd(range, COUNT_WINDOW);
  if (upTo === null) return { found: 0, next: null };
  const { sql, params } = conditionsOf({ ...range, upTo });
  const found = yield* row<{ n: number }>(`select count(*) as n from job where ${sql}`, ...params);
  return { found: Number(found!.n), next: upTo };
}

/** The highest sequence number; 0 without jobs. */
export function* lastSeq(): Tx<number> {
  const found = yield* row<{ seq: number }>("select seq from job order by seq desc limit 1");
  return found?.seq ?? 0;
}

/** The end of a window that begins with a job; null if no job is left. */
function* windowEnd({ after, upTo }: MatchRange, size: number): Tx<number | null> {
  const first = yield* row<{ seq: number }>(
    "select seq from job where seq > ? order by seq limit 1",
    after,
  );
  if (!first || first.seq > upTo) return null;
  return Math.min(upTo, first.seq - 1 + size);
}

function conditionsOf({ accountId, filter, after, upTo, now }: MatchRange): Condition {
  const { endpointId, workerId, batchId, id } = filter;
  const parts = [
    condition("seq > ? and seq <= ?", after, upTo),
    condition(
      "endpoint_id in (select id from endpoint where account_id = ? and deleted_at is null)",
      accountId,
    ),
    visibleAt(now, true),
    ...indexedConditions(filter),
    ...searchedConditions(filter),
  ];
  if (endpointId !== null) parts.push(condition("endpoint_id = ?", endpointId));
  if (workerId !== null) parts.push(condition("worker_id = ?", workerId));
  if (batchId !== null) parts.push(condition("batch_id = ?", batchId));
  if (id !== null) parts.push(condition("id >= ? and id < ?", id, `${id}\u{ffff}`));
  return allOf(parts);
}
