// The table `reservation`. A transaction that adds one holds the prices, and one that places something while one is active locks it.
// A cancelled one stays for calendar programs; nothing else reads it.

import { hasLabels } from "../../domain/label/labels.ts";
import { CANCELLATIONS_KEPT, type Reservation } from "../../domain/reservation/reservation.ts";
import { topic } from "../engine/notifier.ts";
import { labelsFrom, labelText } from "../engine/row/columns.ts";
import { type OwnerColumns, ownerFrom, withOwner } from "../engine/row/owner.ts";
import { filterSql, type ListFilter } from "../engine/row/selection.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

interface Row extends OwnerColumns {
  id: string;
  account_id: string;
  project_id: string | null;
  gpu_type_id: string;
  gpu_count: number;
  from_at: number;
  until_at: number;
  note: string;
  labels: string | null;
  created_at: number;
  changed_at: number | null;
  sequence: number;
  cancelled_at: number | null;
  unused_since: number | null;
  warned_at: number | null;
  released_at: number | null;
  enlarged_by: string | null;
}

const ANY = `select ${withOwner("reservation")} from reservation where`;
const ALL = `${ANY} cancelled_at is null and`;
/** The reservations with those that were released, which lists show until they would have ended. */
const SHOWN = `${ANY} (cancelled_at is null or released_at is not null) and`;

const fromRow = (stored: Row): Reservation => ({
  id: stored.id,
  accountId: stored.account_id,
  projectId: stored.project_id,
  gpuTypeId: stored.gpu_type_id,
  gpuCount: stored.gpu_count,
  from: stored.from_at,
  until: stored.until_at,
  note: stored.note,
  labels: labelsFrom(stored.labels),
  createdAt: stored.created_at,
  changedAt: stored.changed_at ?? stored.created_at,
  sequence: stored.sequence,
  cancelledAt: stored.cancelled_at,
  unusedSince: stored.unused_since,
  warnedAt: stored.warned_at,
  releasedAt: stored.released_at,
  enlargedBy: stored.enlarged_by,
  ...ownerFrom(stored),
});

export function* insertReservation(reservation: Reservation): Tx<void> {
  const { id, accountId, owner, projectId, gpuTypeId, gpuCount, ...others } = reservation;
  const { from, until, note, labels, createdAt } = others;
  yield* change(
    `insert into reservation (id, account_id, owner_id, project_id, gpu_type_id, gpu_count, from_at, until_at, note, labels, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[id, accountId, owner?.id ?? null, projectId, gpuTypeId, gpuCount],
    ...[from, until, note, labelText(labels), createdAt],
  );
  yield* notify(topic.reservations);
  yield* notify(topic.changed(accountId, "quota", accountId));
}

/** Saves a changed reservation. With `isNews`, its holder learns again if its GPUs are short. It counts as used when it changes. */
export function* changeReservation(reservation: Reservation, isNews: boolean): Tx<void> {
  const { id, accountId, gpuCount, from, until, note, labels, ...state } = reservation;
  const { changedAt, sequence, enlargedBy } = state;
  yield* change(
    `update reservation set gpu_count = ?, from_at = ?, until_at = ?, note = ?, labels = ?,
       changed_at = ?, sequence = ?, enlarged_by = ?, unused_since = null, warned_at = null,
       announced_at = case when ? = 1 then null else announced_at end where id = ?`,
    ...[gpuCount, from, until, note, labelText(labels)],
    ...[changedAt, sequence, enlargedBy, Number(isNews), id],
  );
  yield* notifyRoom(accountId);
}

/** A reservation, locked until the transaction commits. */
export function* lockReservation(id: string): Tx<Reservation | undefined> {
  const stored = yield* row<Row>(`${SHOWN} id = ? /*+ for update */`, id);
  return stored && fromRow(stored);
}

/**
 * False if it is gone already. One that has ended is deleted: a calendar keeps what has taken place. One that was released is no
 * longer shown.
 */
export function* cancelReservationOf(id: string, accountId: string, at: number): Tx<boolean> {
  if (yield* cancelWhere("id = ? and account_id = ?", [id, accountId], at)) return true;
  const sql = `update reservation set released_at = null
    where id = ? and account_id = ? and released_at is not null`;
  const isHidden = (yield* change(sql, id, accountId)) > 0;
  if (isHidden) yield* notify(topic.changed(accountId, "quota", accountId));
  return isHidden;
}

/** The transaction holds it. */
export function* releaseReservation(
  { id, accountId }: Pick<Reservation, "id" | "accountId">,
  at: number,
): Tx<void> {
  yield* change("update reservation set released_at = ? where id = ?", at, id);
  yield* cancelWhere("id = ? and account_id = ?", [id, accountId], at);
}

export function* cancelReservationsOfProject(
  projectId: string,
  accountId: string,
  at: number,
): Tx<void> {
  yield* cancelWhere("project_id = ? and account_id = ?", [projectId, accountId], at);
}

/** Reservations of a project stay. */
export function* cancelReservationsOfMember(
  ownerId: string,
  accountId: string,
  at: number,
): Tx<void> {
  const ofMember = "owner_id = ? and account_id = ? and project_id is null";
  yield* cancelWhere(ofMember, [ownerId, accountId], at);
}

function* cancelWhere(condition: string, [id, accountId]: [string, string], at: number) {
  const open = `${condition} and cancelled_at is null`;
  const sql = `update reservation set cancelled_at = ?, changed_at = ?, sequence = sequence + 1
    where ${open} and until_at > ?`;
  const cancelled = yield* change(sql, at, at, id, accountId, at);
  const ended = yield* change(
    `delete from reservation where ${open} and until_at <= ?`,
    id,
    accountId,
    at,
  );
  if (cancelled + ended === 0) return false;
  if (cancelled > 0) yield* forgetOldestCancelled(accountId);
  yield* notifyRoom(accountId);
  return true;
}

/** An account that creates and cancels in a loop stores no more. */
function* forgetOldestCancelled(accountId: string): Tx<void> {
  yield* change(
    `delete from reservation where id in (select id from reservation
       where account_id = ? and cancelled_at is not null order by cancelled_at desc, id limit 500 offset ?)`,
    ...[accountId, CANCELLATIONS_KEPT],
  );
}

/** Deletes up to `limit` of those that ended before an instant, and of those that were cancelled before another. */
export function* forgetReservations(
  { ended, cancelled }: { ended: number; cancelled: number },
  limit: number,
): Tx<void> {
  yield* change(
    `delete from reservation where id in
       (select id from reservation where until_at < ? order by until_at limit ?)`,
    ...[ended, limit],
  );
  yield* change(
    `delete from reservation where id in
       (select id from reservation where cancelled_at < ? order by cancelled_at limit ?)`,
    ...[cancelled, limit],
  );
}

/** How many of an account have not ended, and how many of those belong to an owner. */
export function* countOpenReservations(
  accountId: string,
  ownerId: string | null,
  at: number,
): Tx<{ all: number; owners: number }> {
  const sql = `select count(*) as "all", coalesce(sum(case when owner_id = ? then 1 else 0 end), 0) as owners
    from reservation where account_id = ? and until_at > ? and cancelled_at is null`;
  const counts = (yield* row<{ all: number; owners: number }>(sql, ownerId, accountId, at))!;
  return { all: Number(counts.all), owners: Number(counts.owners) };
}

/** What waited for room may start. */
function* notifyRoom(accountId: string): Tx<void> {
  yield* notify(topic.reservations);
  yield* notify(topic.fleet);
  yield* notify(topic.queuedPods);
  yield* notify(topic.changed(accountId, "quota", accountId));
}

export function* findReservation(id: string): Tx<Reservation | undefined> {
  const stored = yield* row<Row>(`${SHOWN} id = ?`, id);
  return stored && fromRow(stored);
}

/** An account's reservations that overlap a time, in their order. */
export function* reservationsOf(
  accountId: string,
  { from, until }: Pick<Reservation, "from" | "until">,
): Tx<Reservation[]> {
  const sql = `${ALL} account_id = ? and until_at > ? and from_at < ? order by from_at, id`;
  return (yield* rows<Row>(sql, accountId, from, until)).map(fromRow);
}

export interface ReservationFilter
  extends ListFilter,
    Pick<Reservation, "accountId" | "from" | "until"> {
  gpuTypeId: string | null;
  /** Only those that come later than this one. */
  after: Pick<Reservation, "from" | "id"> | null;
  limit: number;
}

/** A page of those that overlap a time, in the order in which they begin. It is short only where no others follow. */
export function* listReservations(filter: ReservationFilter): Tx<Reservation[]> {
  const page: Reservation[] = [];
  let { after } = filter;
  for (;;) {
    const limit = filter.limit - page.length;
    const candidates = yield* candidateReservations({ ...filter, after, limit });
    page.push(...candidates.filter(({ labels }) => hasLabels(labels, filter.labels)));
    if (candidates.length < limit || page.length === filter.limit) return page;
    after = candidates.at(-1)!;
  }
}

/** A few that lack a label may be among them. */
function* candidateReservations(filter: ReservationFilter): Tx<Reservation[]> {
  const { accountId, from, until, gpuTypeId, after, limit } = filter;
  const [selected, params] = filterSql(filter);
  const conditions: [string, (string | number)[]][] = [
    ["account_id = ? and until_at > ? and from_at < ?", [accountId, from, until]],
  ];
  if (gpuTypeId !== null) conditions.push(["gpu_type_id = ?", [gpuTypeId]]);
  if (after) conditions.push(["(from_at, id) > (?, ?)", [after.from, after.id]]);
  const where = conditions.map(([condition]) => condition).join(" and ");
  const sql = `${SHOWN} ${where} ${selected} order by from_at, id limit ?`;
  const values = conditions.flatMap(([, its]) => its);
  return (yield* rows<Row>(sql, ...values, ...params, limit)).map(fromRow);
}

/** An account's reservations that end after an instant: the `limit` that end last, in that order. */
export function* latestReservations(
  accountId: string,
  at: number,
  limit: number,
): Tx<Reservation[]> {
  const sql = `${ALL} account_id = ? and until_at > ? order by until_at desc, id limit ?`;
  return (yield* rows<Row>(sql, accountId, at, limit)).map(fromRow);
}

/** The `limit` of an account that were cancelled last, and since an instant. */
export function* cancelledReservations(
  accountId: string,
  since: number,
  limit: number,
): Tx<Reservation[]> {
  const sql = `${ANY} account_id = ? and cancelled_at > ? order by cancelled_at desc, id limit ?`;
  return (yield* rows<Row>(sql, accountId, since, limit)).map(fromRow);
}

/** Reservations of any account that overlap a time. */
export function* overlapping(
  gpuTypeId: string,
  { from, until }: Pick<Reservation, "from" | "until">,
): Tx<Reservation[]> {
  const sql = `${ALL} gpu_type_id = ? and until_at > ? and from_at < ? order by from_at, id`;
  return (yield* rows<Row>(sql, gpuTypeId, from, until)).map(fromRow);
}

/** Reservations of any account that are active at an instant or begin soon after it, in the order in which they were made. */
export function* activeReservations(at: number, aheadMs = 0): Tx<Reservation[]> {
  const sql = `${ALL} until_at > ? and from_at <= ? order by created_at, id`;
  return (yield* rows<Row>(sql, at, at + aheadMs)).map(fromRow);
}

/** Reservations that begin within `aheadMs`, or began since they were announced. */
export function* reservationsToAnnounce(at: number, aheadMs: number): Tx<Reservation[]> {
  const sql = `${ALL} until_at > ? and (announced_at is null and from_at <= ?
    or announced_at < from_at and from_at <= ?) order by from_at, id`;
  return (yield* rows<Row>(sql, at, at + aheadMs, at)).map(fromRow);
}

/** Makes others that place something while one of these is active wait until the transaction ends. */
export function* lockActiveReservations(at: number): Tx<void> {
  const sql =
    "select id from reservation where cancelled_at is null and until_at > ? and from_at <= ? order by id";
  yield* rows(`${sql} /*+ for update */`, at, at);
}
