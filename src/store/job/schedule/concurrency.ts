// Concurrency keys in the store: the row that a key's transactions lock, its held jobs and its admitted ones.

import type { Job } from "../../../domain/job/job.ts";
import { targetOf } from "../../../domain/job/moves.ts";
import type { Concurrency } from "../../../domain/job/schedule/concurrency.ts";
import type { RateLimit } from "../../../domain/job/schedule/rate-limit.ts";
import { change, row, rows, type Tx, together } from "../../engine/statement.ts";
import { type JobRow, rateLimitFrom } from "../row.ts";
import { ADMITTED, HELD_BY_KEY, moveSql } from "../state-sql.ts";

export interface ConcurrencyKey {
  endpointId: string;
  key: string;
}

interface KeyCounts {
  admitted: number;
  held: number;
}

const lockSql = (limit: string) => `
  insert into concurrency_key (endpoint_id, key, max_jobs) values (?, ?, ?)
  on conflict (endpoint_id, key) do update set max_jobs = ${limit}.max_jobs, skipped = 0
  returning max_jobs as "limit"`;
const LOCK = lockSql("concurrency_key");
const LOCK_WITH_LIMIT = lockSql("excluded");

/**
 * Locks the key until the commit, and returns its limit: the given one if it is `newest` or the key has none.
 */
export function* lockKey(
  { endpointId, key }: ConcurrencyKey,
  { limit, newest }: { limit: number; newest: boolean },
): Tx<number> {
  const found = yield* row<{ limit: number }>(
    newest ? LOCK_WITH_LIMIT : LOCK,
    endpointId,
    key,
    limit,
  );
  return Number(found!.limit);
}

const release = moveSql("release");
const released = targetOf("release");
const OF_KEY = "endpoint_id = ? and concurrency_key = ?";
const OF_PAGE = "endpoint_id = page.endpoint_id and concurrency_key = page.key";

/** The key's limit and the jobs that take its slots; undefined for a key without a row. */
export function* keyState({
  endpointId,
  key,
}: ConcurrencyKey): Tx<{ limit: number; admitted: number; hasHeld: boolean } | undefined> {
  const found = yield* row<{ limit: number; admitted: number; held: number }>(
    `select max_jobs as "limit", (select count(*) from job where ${OF_KEY} and ${ADMITTED}) as admitted,
       exists (select 1 from job where ${OF_KEY} and ${HELD_BY_KEY}) as held
     from concurrency_key where endpoint_id = ? and key = ?`,
    ...[endpointId, key, endpointId, key, endpointId, key],
  );
  if (!found) return undefined;
  const { limit, admitted, held } = found;
  return { limit: Number(limit), admitted: Number(admitted), hasHeld: Number(held) > 0 };
}

/** True if the key holds a job. */
export function* hasHeld({ endpointId, key }: ConcurrencyKey): Tx<boolean> {
  const found = yield* row(
    `select 1 from job where ${OF_KEY} and ${HELD_BY_KEY} limit 1`,
    endpointId,
    key,
  );
  return found !== undefined;
}

/** How many jobs of a locked key are in the queue or running, and how many are held, up to its limit. */
function* countKey({ endpointId, key }: ConcurrencyKey): Tx<KeyCounts> {
  const found = yield* row<{ admitted: number; held: number }>(
    `select (select count(*) from job where ${OF_KEY} and ${ADMITTED}) as admitted,
       (select count(*) from (select 1 from job where ${OF_KEY} and ${HELD_BY_KEY}
          limit (select max_jobs from concurrency_key where endpoint_id = ? and key = ?)) as waiting) as held`,
    ...[endpointId, key, endpointId, key, endpointId, key],
  );
  return { admitted: Number(found!.admitted), held: Number(found!.held) };
}

/**
 * Locks a key as `lockKey` does, and counts its jobs. The count is a statement of its own, sent along with the lock:
 * one that waits for a lock sees what was committed before it began.
 */
export function* lockAndCount(
  name: ConcurrencyKey,
  limit: { limit: number; newest: boolean },
): Tx<KeyCounts & { limit: number }> {
  const [locked, counts] = yield* together<unknown>([lockKey(name, limit), countKey(name)]);
  return { limit: locked as number, ...(counts as KeyCounts) };
}

/**
 * For the explanation of a held job: the key's present limit, its jobs that are in the queue or running, and
 * how many held jobs are admitted before this one, up to `maxAhead`.
 */
export function* keyAdmissions(
  { endpointId, priority, seq }: Pick<Job, "endpointId" | "priority" | "seq">,
  key: string,
  maxAhead: number,
): Tx<{ limit: number | null; admitted: number; jobs: string[]; ahead: number }> {
  const limit = yield* row<{ limit: number }>(
    'select max_jobs as "limit" from concurrency_key where endpoint_id = ? and key = ?',
    endpointId,
    key,
  );
  const jobs = yield* rows<{ id: string }>(
    `select id from job where ${OF_KEY} and ${ADMITTED} order by seq`,
    endpointId,
    key,
  );
  const ahead = yield* row<{ n: number }>(
    `select count(*) as n from (select 1 from job where ${OF_KEY} and ${HELD_BY_KEY}
       and (priority > ? or (priority = ? and seq < ?)) limit ?) as ahead`,
    ...[endpointId, key, priority, priority, seq, maxAhead],
  );
  return {
    limit: limit ? Number(limit.limit) : null,
    admitted: jobs.length,
    jobs: jobs.map(({ id }) => id),
    ahead: Number(ahead!.n),
  };
}

/**
 * Admits up to `count` held jobs of a key, by priority and then by age: to the end of the queue, or to their rate
 * limit, which holds them next.
 */
export function* setAdmitted(
  { endpointId, key }: ConcurrencyKey,
  count: number,
  now: number,
): Tx<{ id: string; rateLimit: RateLimit | null }[]> {
  const admitted = yield* rows<{ id: string } & Pick<JobRow, "rate_key" | "rate_pace">>(
    `update job set state = case when rate_key is null then '${released}' else state end,
       held_by = case when rate_key is null then null else 'rate' end,
       queued_at = ?, place = (select max(seq) from job)
     where seq in (select seq from job where ${OF_KEY} and ${HELD_BY_KEY}
       order by priority desc, seq limit ? /*+ for update skip locked */)
     returning id, rate_key, rate_pace`,
    now,
    endpointId,
    key,
    count,
  );
  return admitted.map((found) => ({ id: found.id, rateLimit: rateLimitFrom(found) }));
}

/** Holds up to `count` jobs with a concurrency key whose delay is over. */
export function* setHeld(now: number, count: number): Tx<(ConcurrencyKey & Concurrency)[]> {
  return yield* rows<ConcurrencyKey & Concurrency>(
    `update job set held_by = 'concurrency', due_at = null where seq in (
       select seq from job where ${release.where} and due_at <= ? and concurrency_key is not null
       order by due_at limit ? /*+ for update skip locked */)
     returning endpoint_id as "endpointId", concurrency_key as key, concurrency_limit as "limit"`,
    now,
    count,
  );
}

/** Records that a held job of a locked key could not be admitted, because another transaction has locked it. */
export function* setSkipped({ endpointId, key }: ConcurrencyKey): Tx<void> {
  yield* change(
    "update concurrency_key set skipped = 1 where endpoint_id = ? and key = ?",
    endpointId,
    key,
  );
}

/** Keys with such a job. */
export function* skippedKeys(count: number): Tx<(ConcurrencyKey & Concurrency)[]> {
  return yield* rows<ConcurrencyKey & Concurrency>(
    `select endpoint_id as "endpointId", key, max_jobs as "limit" from concurrency_key
     where skipped = 1 order by endpoint_id, key limit ?`,
    count,
  );
}

/**
 * Among the `count` keys that follow `after`, those that neither hold a job nor have one admitted. `next` is null after
 * the last key of all.
 */
export function* idleKeys(
  after: ConcurrencyKey,
  count: number,
): Tx<{ idle: (ConcurrencyKey & Concurrency)[]; next: ConcurrencyKey | null }> {
  const page = yield* rows<ConcurrencyKey & Concurrency & { busy: number }>(
    `select endpoint_id as "endpointId", key, max_jobs as "limit",
       (select count(*) from (select 1 from job where ${OF_PAGE} and ${ADMITTED} limit 1) as taken)
       + (select count(*) from (select 1 from job where ${OF_PAGE} and ${HELD_BY_KEY} limit 1) as waiting) as busy
     from concurrency_key as page where (endpoint_id, key) > (?, ?) order by endpoint_id, key limit ?`,
    after.endpointId,
    after.key,
    count,
  );
  const idle = page.filter(({ busy }) => Number(busy) === 0);
  return { idle, next: page.length === count ? page.at(-1)! : null };
}

/** Deletes a locked key without live jobs; the next job with the key creates it anew. */
export function* deleteKey({ endpointId, key }: ConcurrencyKey): Tx<void> {
  yield* change("delete from concurrency_key where endpoint_id = ? and key = ?", endpointId, key);
}
