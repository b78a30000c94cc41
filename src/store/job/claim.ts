// Moves queued jobs to a worker under a lease, in the order of dispatch: priority, then place.

import type { ClaimedJob } from "../../domain/job/job.ts";
import { rows, type Tx } from "../engine/statement.ts";
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

/** Claims up to `most` jobs, unless the worker takes no more. */
export function* claimQueued(
  endpointId: string,
  workerId: string,
  most: number,
  now: number,
  leaseUntil: number,
): Tx<ClaimedJob[]> {
  const found = yield* rows<Row>(
    claimSql(most),
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

/**
 * One statement, so that no other claim comes between the query and the update. The limit is part of the text: as a
 * parameter it would be planned for any number.
 */
function claimSql(most: number): string {
  let sql = claims.get(most);
  if (!sql) {
    sql = `
      update job set ${take.set}, worker_id = ?, taken_at = ?, lease_until = ?,
        attempts = attempts + 1
      where seq ${most === 1 ? "=" : "in"} (
          select seq from job where endpoint_id = ? and ${take.where} and ttl_at > ?
          order by ${DISPATCH_ORDER} limit ${most} /*+ for update skip locked */)
        and exists (select 1 from worker where id = ? and taking = 1)
      returning seq, id, priority, ${PLACE} as place, input, input_payload, extras, webhook, trace, retries, attempts,
        queued_at`;
    claims.set(most, sql);
  }
  return sql;
}
