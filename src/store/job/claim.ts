// Moves queued jobs to a worker under a lease, in the order of dispatch: priority, then place.

import type { ClaimedJob } from "../../domain/job/job.ts";
import { rows, type Tx } from "../engine/statement.ts";
import { callRows, type ParamType, type SeveralCalls, severalAs } from "../engine/text/several.ts";
import { DISPATCH_ORDER, moveSql, PLACE } from "./state-sql.ts";

interface Row {
  seq: number;
  id: string;
  priority: number;
  place: number;
  input: string | null;
  input_payload: string | null;
  extras: string | null;
  webhook: string | null;
  trace: string | null;
  retries: number;
  attempts: number;
  queued_at: number;
}

/** Claims up to `limit` jobs, unless the worker takes no more. */
export function* claimQueued(
  { endpointId, workerId }: { endpointId: string; workerId: string },
  limit: number,
  now: number,
  leaseUntil: number,
): Tx<ClaimedJob[]> {
  const found = yield* rows<Row>(
    claimSql(limit),
    workerId,
    now,
    leaseUntil,
    endpointId,
    now,
    workerId,
  );
  if (found.length > 1)
    found.sort((a, b) => b.priority - a.priority || a.place - b.place || a.seq - b.seq);
  return found.map((row) => ({
    seq: row.seq,
    id: row.id,
    input: { inline: row.input, payload: row.input_payload },
    extras: row.extras,
    webhook: row.webhook,
    trace: row.trace,
    retries: row.retries,
    attempts: row.attempts,
    queuedAt: row.queued_at,
  }));
}

const take = moveSql("take");
const claims = new Map<number, string>();

/** What a claim returns of a job. */
const CLAIMED = `seq, id, priority, ${PLACE} as place, input, input_payload, extras, webhook, trace, retries, attempts,
  queued_at`;

/**
 * One statement, so that no other claim comes between the query and the update. The limit is part of the text: as a
 * parameter it would be planned for any number.
 */
function claimSql(limit: number): string {
  let sql = claims.get(limit);
  if (!sql) {
    sql = `
      update job set ${take.set}, worker_id = ?, taken_at = ?, lease_until = ?,
        attempts = attempts + 1
      where seq ${limit === 1 ? "=" : "in"} (
          select seq from job where endpoint_id = ? and ${take.where} and ttl_at > ?
          order by ${DISPATCH_ORDER} limit ${limit} /*+ for update skip locked */)
        and exists (select 1 from worker where id = ? and taking = 1)
      returning ${CLAIMED}`;
    if (limit === 1) severalAs(sql, SEVERAL_CLAIMS);
    claims.set(limit, sql);
  }
  return sql;
}

const TYPES: ParamType[] = ["text", "bigint", "bigint", "text", "bigint", "text"];

/** Claims of one job each: the first job goes to the first claim whose worker takes jobs. */
const SEVERAL_CLAIMS: SeveralCalls = {
  sql: `
    with asked as materialized (
      select p1, p2, p3, p5, nth, row_number() over () as turn from ${callRows(TYPES)}
      where exists (select 1 from worker where id = p6 and taking = 1))
    update job set ${take.set}, worker_id = p1, taken_at = p2, lease_until = p3, attempts = attempts + 1
    from asked, (select array_agg(seq) as seqs from (
        select seq from job where endpoint_id = ? and ${take.where} and ttl_at > (select max(p5) from asked)
        order by ${DISPATCH_ORDER} limit (select count(*) from asked) /*+ for update skip locked */) as queued) as found
    where seq = seqs[turn] returning ${CLAIMED}, nth`,
  isInsert: false,
  types: TYPES,
  /** The endpoint. */
  shared: [3],
};
