// The table `reservation_feed`: the calendar feeds of reservations, one for each member and one for the account alone. The token in
// its address is stored as its SHA-256.

import { topic } from "../engine/notifier.ts";
import { change, notify, row, type Tx } from "../engine/statement.ts";

/** The account, and the member that a feed belongs to; null for the account alone. */
export interface FeedOwner {
  accountId: string;
  ownerId: string | null;
}

export interface ReservationFeed extends FeedOwner {
  createdAt: number;
}

const COLUMNS = `account_id as "accountId", owner_id as "ownerId", created_at as "createdAt"`;
const OF_OWNER = "account_id = ? and coalesce(owner_id, '') = ?";

export function* insertFeed(
  { accountId, ownerId, createdAt }: ReservationFeed,
  hash: string,
): Tx<void> {
  const sql =
    "insert into reservation_feed (hash, account_id, owner_id, created_at) values (?, ?, ?, ?)";
  yield* change(sql, hash, accountId, ownerId, createdAt);
  yield* notify(topic.changed(accountId, "quota", accountId));
}

export function* findFeed({ accountId, ownerId }: FeedOwner): Tx<ReservationFeed | undefined> {
  const sql = `select ${COLUMNS} from reservation_feed where ${OF_OWNER}`;
  const found = yield* row<ReservationFeed>(sql, accountId, ownerId ?? "");
  return found && { ...found, createdAt: Number(found.createdAt) };
}

export function* findFeedByHash(hash: string): Tx<FeedOwner | undefined> {
  return yield* row<FeedOwner>(`select ${COLUMNS} from reservation_feed where hash = ?`, hash);
}

/** False if there is none. */
export function* deleteFeed({ accountId, ownerId }: FeedOwner): Tx<boolean> {
  const sql = `delete from reservation_feed where ${OF_OWNER}`;
  const isDeleted = (yield* change(sql, accountId, ownerId ?? "")) > 0;
  if (isDeleted) yield* notify(topic.changed(accountId, "quota", accountId));
  return isDeleted;
}
