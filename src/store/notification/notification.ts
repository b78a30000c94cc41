// The table `notification`: the messages of rules.

import type { Notification } from "../../domain/notification/notification.ts";
import { topic } from "../engine/notifier.ts";
import { change, notify, row, rows, type Tx, type Value } from "../engine/statement.ts";

const COLUMNS = `notification.seq, notification.id, notification.account_id as "accountId",
  notification.rule_id as "ruleId", notification.test, notification.events,
  notification.created_at as "createdAt"`;

type Row = Omit<Notification, "test"> & { test: number };

const fromRow = (found: Row): Notification => ({ ...found, test: found.test === 1 });

/** Returns it with its number; its events are counted later. */
export function* insertNotification(
  fields: Omit<Notification, "seq" | "events">,
): Tx<Notification> {
  const { id, accountId, ruleId, test, createdAt } = fields;
  const inserted = yield* row<{ seq: number }>(
    `insert into notification (id, account_id, rule_id, test, events, created_at)
     values (?, ?, ?, ?, 0, ?) returning seq`,
    id,
    accountId,
    ruleId,
    Number(test),
    createdAt,
  );
  yield* notifyNotification(fields);
  return { ...fields, seq: inserted!.seq, events: 0 };
}

export function* setEventCount(seq: number, events: number): Tx<void> {
  yield* change("update notification set events = ? where seq = ?", events, seq);
}

export function* findNotification(seq: number): Tx<Notification | undefined> {
  return yield* notificationWhere("seq = ?", seq);
}

export function* findNotificationById(id: string): Tx<Notification | undefined> {
  return yield* notificationWhere("id = ?", id);
}

/** Reads a notification and locks it until the transaction commits. */
export function* lockNotification(id: string): Tx<Notification | undefined> {
  return yield* notificationWhere("id = ? /*+ for update */", id);
}

function* notificationWhere(where: string, ...params: Value[]): Tx<Notification | undefined> {
  const found = yield* row<Row>(`select ${COLUMNS} from notification where ${where}`, ...params);
  return found && fromRow(found);
}

export interface NotificationFilter {
  accountId: string;
  ruleId: string | null;
  /** Only messages with a smaller `seq`. */
  beforeSeq: number;
  limit: number;
}

/** The newest first. */
export function* listNotifications(filter: NotificationFilter): Tx<Notification[]> {
  const { accountId, ruleId, beforeSeq, limit } = filter;
  const ofRule = ruleId === null ? "" : "and rule_id = ?";
  const found = yield* rows<Row>(
    `select ${COLUMNS} from notification where account_id = ? ${ofRule} and seq < ?
     order by seq desc limit ?`,
    accountId,
    ...(ruleId === null ? [] : [ruleId]),
    beforeSeq,
    limit,
  );
  return found.map(fromRow);
}

/** When the rule's channel was last tried on request. */
export function* lastTestAt(ruleId: string): Tx<number | null> {
  const found = yield* row<{ at: number | null }>(
    "select max(created_at) as at from notification where rule_id = ? and test = 1",
    ruleId,
  );
  return found?.at ?? null;
}

/** The oldest messages made before an instant, locked. */
export function* lockOldNotifications(before: number, limit: number): Tx<Notification[]> {
  const found = yield* rows<Row>(
    `select ${COLUMNS} from notification where created_at < ?
     order by created_at limit ? /*+ for update skip locked */`,
    before,
    limit,
  );
  return found.map(fromRow);
}

export function* deleteNotification(seq: number): Tx<void> {
  yield* change("delete from notification where seq = ?", seq);
}

/** A message or a delivery of it changed. */
export function* notifyNotification({
  id,
  accountId,
}: Pick<Notification, "id" | "accountId">): Tx<void> {
  yield* notify(topic.notification(id));
  yield* notify(topic.changed(accountId, "notification", id));
}
