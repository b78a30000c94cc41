// Rate limits per key in the store: the row that a key's transactions lock, and its held jobs.

import type { Job } from "../../../domain/job/job.ts";
import type { Pace, RateLimit } from "../../../domain/job/schedule/rate-limit.ts";
import { change, row, rows, type Tx } from "../../engine/statement.ts";
import { HELD_BY_RATE, moveSql } from "../state-sql.ts";

export interface RateKey {
  endpointId: string;
  key: string;
}

export interface RateState {
  pace: Pace;
  nextUs: number;
}

interface RateRow {
  pace: string;
  next_us: number;
}

/** A rate limit of an endpoint, as a job or a submission named it. */
interface Limited {
  endpointId: string;
  rateLimit: RateLimit;
}

interface LimitedRow extends RateKey {
  pace: string;
}

const limitedFrom = ({ endpointId, key, pace }: LimitedRow): Limited => ({
  endpointId,
  rateLimit: { key, ...(JSON.parse(pace) as Pace) },
});

const lockSql = (pace: string) => `
  insert into rate_key (endpoint_id, key, pace, next_us, due_at) values (?, ?, ?, 0, ?)
  on conflict (endpoint_id, key) do update set pace = ${pace}.pace
  returning pace, next_us`;
const LOCK = lockSql("rate_key");
const LOCK_WITH_PACE = lockSql("excluded");

/** Locks the key until the commit; its pace is the given one if it is `newest` or the key has none. */
export function* lockRate(
  { endpointId, key }: RateKey,
  { pace, newest, now }: { pace: Pace; newest: boolean; now: number },
): Tx<RateState> {
  const sql = newest ? LOCK_WITH_PACE : LOCK;
  const found = yield* row<RateRow>(sql, endpointId, key, JSON.stringify(pace), now);
  return stateFrom(found!);
}

const stateFrom = ({ pace, next_us }: RateRow): RateState => ({
  pace: JSON.parse(pace) as Pace,
  nextUs: Number(next_us),
});

const OF_KEY = "endpoint_id = ? and rate_key = ?";
const release = moveSql("release");

/** How many jobs of the key its pace holds, up to `limit`. */
export function* countHeldByRate({ endpointId, key }: RateKey, limit: number): Tx<number> {
  const found = yield* row<{ n: number }>(
    `select count(*) as n from (select 1 from job where ${OF_KEY} and ${HELD_BY_RATE} limit ?) as held`,
    endpointId,
    key,
    limit,
  );
  return Number(found!.n);
}

/** Moves up to `limit` held jobs of the key to the end of the queue, by priority and then by age. */
export function* setAdmittedAtRate(
  { endpointId, key }: RateKey,
  limit: number,
  now: number,
): Tx<{ id: string }[]> {
  return yield* rows<{ id: string }>(
    `update job set ${release.set}, held_by = null, queued_at = ?, place = (select max(seq) from job)
     where seq in (select seq from job where ${OF_KEY} and ${HELD_BY_RATE}
       order by priority desc, seq limit ? /*+ for update skip locked */)
     returning id`,
    now,
    endpointId,
    key,
    limit,
  );
}

/** Holds up to `limit` jobs with a rate limit, and no concurrency key, whose delay is over. */
export function* setHeldByRate(now: number, limit: number): Tx<Limited[]> {
  const held = yield* rows<LimitedRow>(
    `update job set held_by = 'rate', due_at = null where seq in (
       select seq from job where ${release.where} and due_at <= ?
         and concurrency_key is null and rate_key is not null
       order by due_at limit ? /*+ for update skip locked */)
     returning endpoint_id as "endpointId", rate_key as key, rate_pace as pace`,
    now,
    limit,
  );
  return held.map(limitedFrom);
}

/** Records the pace that the admitted jobs of a locked key used, and when the key is looked at again. */
export function* setRate(
  { endpointId, key }: RateKey,
  { nextUs, dueAt }: { nextUs: number; dueAt: number },
): Tx<void> {
  yield* change(
    "update rate_key set next_us = ?, due_at = ? where endpoint_id = ? and key = ?",
    nextUs,
    dueAt,
    endpointId,
    key,
  );
}

/** Deletes a locked key; the next job with it creates it anew. */
export function* deleteRate({ endpointId, key }: RateKey): Tx<void> {
  yield* change("delete from rate_key where endpoint_id = ? and key = ?", endpointId, key);
}

/** Keys that are due, each with its pace. */
export function* dueRates(now: number, limit: number): Tx<Limited[]> {
  const found = yield* rows<LimitedRow>(
    `select endpoint_id as "endpointId", key, pace from rate_key where due_at <= ?
     order by due_at limit ?`,
    now,
    limit,
  );
  return found.map(limitedFrom);
}

/** The instant at which the next key is due; null without keys. */
export function* nextRateDue(): Tx<number | null> {
  const found = yield* row<{ at: number }>(
    "select due_at as at from rate_key order by due_at limit 1",
  );
  return found ? Number(found.at) : null;
}

/** For the explanation of a held job: its key's state, and how many held jobs enter before it. */
export function* rateAdmissions(
  { endpointId, priority, seq }: Pick<Job, "endpointId" | "priority" | "seq">,
  key: string,
  limit: number,
): Tx<{ state: RateState | null; ahead: number }> {
  const state = yield* row<RateRow>(
    "select pace, next_us from rate_key where endpoint_id = ? and key = ?",
    endpointId,
    key,
  );
  const ahead = yield* row<{ n: number }>(
    `select count(*) as n from (select 1 from job where ${OF_KEY} and ${HELD_BY_RATE}
       and (priority > ? or (priority = ? and seq < ?)) limit ?) as ahead`,
    ...[endpointId, key, priority, priority, seq, limit],
  );
  return { state: state ? stateFrom(state) : null, ahead: Number(ahead!.n) };
}
