// The list of jobs, the newest first. Each kind of filter has a query that an index answers in the order of
// submission, so that a page does not depend on how many jobs are kept.

import type { Job } from "../../../domain/job/job.ts";
import type { JobFilter } from "../../../domain/job/job-filter.ts";
import { isTerminal, type JobState, jobStates } from "../../../domain/job/moves.ts";
import { row, rows, type Tx, together, type Value } from "../../engine/statement.ts";
import { JOB_COLUMNS, type JobRow, jobFromRow } from "../row.ts";
import { QUEUED } from "../state-sql.ts";
import {
  allOf,
  condition,
  indexedConditions,
  searchedConditions,
  visibleAt,
} from "./conditions.ts";
import { endSeqUntil, firstSeqSince } from "./seq-at.ts";

export interface JobListing extends JobFilter {
  accountId: string;
  /** Only jobs of the endpoints of this member; null for all. */
  ownerId: string | null;
  /** Only jobs submitted before the one with this sequence number. */
  before: number | null;
  /** Whether failures are listed beyond their retention. */
  archived: boolean;
  limit: number;
  now: number;
}

/** A search that no index answers reads this many of an endpoint's newest jobs in each state. */
const MAX_SEARCHED = 10_000;

/** A condition on jobs with the order in which an index yields them. */
interface Source {
  where: string;
  params: Value[];
  /** False if few jobs match, which are sorted instead. */
  inOrder: boolean;
}

/** A job of a list, with the beginning of its input unless the input is long. */
export interface ListedJob {
  job: Job;
  inputStart: string | null;
}

/** Jobs of an account's endpoints, without those whose retention is over. */
export function* listJobs(filter: JobListing): Tx<ListedJob[]> {
  const { from, to } = yield* rangeOf(filter);
  let seqs: number[] = [];
  for (const source of yield* sourcesOf(filter)) {
    // Once a page is full, only a job that is newer than its last one can enter it.
    const newer = seqs.length < filter.limit ? from : Math.max(from, seqs.at(-1)! + 1);
    const found = yield* seqsOf(source, filter, { from: newer, to });
    seqs = [...new Set([...seqs, ...found])].sort((a, b) => b - a).slice(0, filter.limit);
  }
  const jobs = yield* together(seqs.map(readJob));
  return jobs.filter((job) => job !== undefined);
}

interface Range {
  from: number;
  to: number;
}

function* rangeOf({ since, until, before }: JobListing): Tx<Range> {
  const from = since === null ? 0 : yield* firstSeqSince(since);
  const end = until === null ? Number.MAX_SAFE_INTEGER : yield* endSeqUntil(until);
  return { from, to: Math.min(before ?? Number.MAX_SAFE_INTEGER, end) };
}

function* sourcesOf(filter: JobListing): Tx<Source[]> {
  if (filter.id !== null) return [idSource(filter, filter.id)];
  if (filter.batchId !== null) return [batchSource(filter, filter.batchId)];
  if (filter.workerId !== null) return [workerSource(filter, filter.workerId)];
  const endpoints = yield* rows<{ id: string }>(
    `select id from endpoint ${ENDPOINTS}`,
    ...endpointParams(filter),
  );
  const sources: Source[] = [];
  for (const { id } of endpoints) {
    for (const state of statesOf(filter)) sources.push(yield* stateSource(id, state));
  }
  return sources;
}

/** Jobs that have an error. */
const unsuccessful: JobState[] = ["FAILED", "TIMED_OUT", "CANCELLED"];
const ended = jobStates.filter(isTerminal);

/** The states with a query of their own each; null for one query over all states. */
function statesOf({ states, ...filter }: JobFilter): (JobState | null)[] {
  const searched = searchedStates(filter);
  if (searched === null) return states ?? [null];
  return searched.filter((state) => states?.includes(state) ?? true);
}

/** The states in which a search that no index answers can find a job; null without such a search. */
function searchedStates(filter: Omit<JobFilter, "states">): JobState[] | null {
  if (filter.quarantined === true) return ["FAILED"];
  if (filter.error !== null) return unsuccessful;
  if (filter.finishedAfter !== null || filter.finishedBefore !== null) return ended;
  return null;
}

const ENDPOINTS = `where account_id = ? and (cast(? as text) is null or id = ?)
         and (cast(? as text) is null or owner_id = ?)`;

function endpointParams({ accountId, endpointId, ownerId }: JobListing): Value[] {
  return [accountId, endpointId, endpointId, ownerId, ownerId];
}

/** Concatenation keeps a column from being searched by an index. */
const OF_ACCOUNT = `endpoint_id || '' in (select id from endpoint ${ENDPOINTS})`;

function idSource(listing: JobListing, id: string): Source {
  const { workerId, batchId } = listing;
  const where = `id >= ? and id < ? and ${OF_ACCOUNT}
       and (cast(? as text) is null or worker_id || '' = ?)
       and (cast(? as text) is null or batch_id || '' = ?)`;
  const endpoints = endpointParams(listing);
  const params = [id, `${id}\u{ffff}`, ...endpoints, workerId, workerId, batchId, batchId];
  return { where, params, inOrder: false };
}

function workerSource(listing: JobListing, workerId: string): Source {
  const where = `worker_id = ? and ${OF_ACCOUNT}`;
  return { where, params: [workerId, ...endpointParams(listing)], inOrder: true };
}

function batchSource(listing: JobListing, batchId: string): Source {
  const { workerId } = listing;
  const where = `batch_id = ? and ${OF_ACCOUNT} and (cast(? as text) is null or worker_id || '' = ?)`;
  const params = [batchId, ...endpointParams(listing), workerId, workerId];
  return { where, params, inOrder: true };
}

const MAX_SORTED = 5_000;

/** Literals, because an index of some states is found by the text of the condition. */
const stateWhere: Record<JobState, string> = {
  DELAYED: "endpoint_id = ? and state = 'DELAYED'",
  IN_QUEUE: "endpoint_id = ? and state = 'IN_QUEUE' and priority >= -9007199254740991",
  IN_PROGRESS: "endpoint_id || '' = ? and state = 'IN_PROGRESS'",
  COMPLETED: "endpoint_id = ? and state = 'COMPLETED'",
  FAILED: unsuccessfulWhere("FAILED"),
  TIMED_OUT: unsuccessfulWhere("TIMED_OUT"),
  CANCELLED: unsuccessfulWhere("CANCELLED"),
};

function unsuccessfulWhere(state: JobState): string {
  return `endpoint_id = ? and state = '${state}' and state in ('FAILED', 'TIMED_OUT', 'CANCELLED')`;
}

function* stateSource(endpointId: string, state: JobState | null): Tx<Source> {
  if (state === null) return { where: "endpoint_id = ?", params: [endpointId], inOrder: true };
  const where = stateWhere[state];
  const inOrder = state === "IN_QUEUE" ? yield* isLongQueue(endpointId) : state !== "IN_PROGRESS";
  return { where, params: [endpointId], inOrder };
}

/** The jobs of a long queue are found among the newest ones, those of a short queue by its own index. */
function* isLongQueue(endpointId: string): Tx<boolean> {
  const counted = yield* row<{ n: number }>(
    `select count(*) as n from (select 1 from job where endpoint_id = ? and ${QUEUED} limit ?) as queued`,
    endpointId,
    MAX_SORTED + 1,
  );
  return Number(counted?.n) > MAX_SORTED;
}

function* seqsOf(source: Source, filter: JobListing, range: Range): Tx<number[]> {
  const { sql, params } = listQuery(source, filter, range);
  const found = yield* rows<{ seq: number }>(sql, ...params);
  return found.map(({ seq }) => Number(seq));
}

/** The query for the numbers of a page's jobs. */
function listQuery(
  { where, params, inOrder }: Source,
  filter: JobListing,
  { from, to }: Range,
): { sql: string; params: Value[] } {
  const { archived, now, limit } = filter;
  // A sum is not searched by an index, so that the index of the source is used.
  const number = inOrder ? "seq" : "seq + 0";
  const indexed = allOf([
    condition(where, ...params),
    condition(`${number} >= ? and ${number} < ?`, from, to),
    visibleAt(now, archived),
    ...indexedConditions(filter),
  ]);
  const query = `from job where ${indexed.sql} order by ${number} desc`;
  const searched = searchedConditions(filter);
  if (searched.length === 0)
    return { sql: `select seq ${query} limit ?`, params: [...indexed.params, limit] };
  const matches = allOf(searched);
  const sql = `select seq from (select seq, error, finished_at ${query} limit ${MAX_SEARCHED})
     as newest where ${matches.sql} order by seq desc limit ?`;
  return { sql, params: [...indexed.params, ...matches.params, limit] };
}

const INPUT_CHARS = 200;

function* readJob(seq: number): Tx<ListedJob | undefined> {
  const found = yield* row<JobRow & { input_start: string | null }>(
    `select ${JOB_COLUMNS}, substr(input, 1, ${INPUT_CHARS}) as input_start from job where seq = ?`,
    seq,
  );
  return found && { job: jobFromRow(found), inputStart: found.input_start };
}
