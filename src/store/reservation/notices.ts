// What is noted of reservations: that they were announced, and that they are not used.

import type { Reservation } from "../../domain/reservation/reservation.ts";
import { topic } from "../engine/notifier.ts";
import { change, notify, row, type Tx } from "../engine/statement.ts";

/** Null for a value that it does not have. */
export function* noteUnused({
  id,
  accountId,
  unusedSince,
  warnedAt,
}: Pick<Reservation, "id" | "accountId" | "unusedSince" | "warnedAt">): Tx<void> {
  const sql = "update reservation set unused_since = ?, warned_at = ? where id = ?";
  yield* change(sql, unusedSince, warnedAt, id);
  yield* notify(topic.changed(accountId, "quota", accountId));
}

/** When the next one is announced; null if none is. */
export function* nextAnnouncement(at: number, aheadMs: number): Tx<number | null> {
  const sql = `select min(case when announced_at is null then from_at - ? else from_at end) as at from reservation
    where cancelled_at is null and until_at > ? and (announced_at is null or announced_at < from_at)`;
  const next = (yield* row<{ at: number | null }>(sql, aheadMs, at))?.at ?? null;
  return next === null ? null : Number(next);
}

/** False if it was announced meanwhile, or is gone. */
export function* markAnnounced({ id, from }: Reservation, at: number): Tx<boolean> {
  const sql = `update reservation set announced_at = ?
    where id = ? and cancelled_at is null and (announced_at is null or announced_at < ? and ? >= ?)`;
  return (yield* change(sql, at, id, from, at, from)) > 0;
}
