// The table `notification_event`: the events of each rule, until and with the message that announces them.

import type { AccountEvent } from "../../domain/notification/event.ts";
import { topic } from "../engine/notifier.ts";
import { change, notify, row, rows, type Tx } from "../engine/statement.ts";

/**
 * Adds an event unless the rule has it; returns how many. Without the number of its message it waits for
 * one.
 */
export function* insertEvent(
  ruleId: string,
  event: AccountEvent,
  notificationSeq: number | null = null,
): Tx<number> {
  const inserted = yield* change(
    `insert into notification_event (rule_id, id, at, event, notification_seq) values (?, ?, ?, ?, ?)
     on conflict do nothing`,
    ruleId,
    event.id,
    event.at,
    JSON.stringify(event),
    notificationSeq,
  );
  if (notificationSeq === null) yield* notify(topic.notifications);
  return inserted;
}

export interface WaitingEvents {
  ruleId: string;
  notifiedAt: number | null;
  oldestAt: number;
}

/** The rules with events that wait for a message. */
export function* waitingEvents(): Tx<WaitingEvents[]> {
  return yield* rows<WaitingEvents>(
    `select rule.id as "ruleId", rule.notified_at as "notifiedAt", min(event.at) as "oldestAt"
     from notification_event as event join notification_rule as rule on rule.id = event.rule_id
     where event.notification_seq is null group by rule.id, rule.notified_at order by rule.id`,
  );
}

export function* oldestWaiting(ruleId: string): Tx<number | null> {
  const found = yield* row<{ at: number | null }>(
    "select min(at) as at from notification_event where rule_id = ? and notification_seq is null",
    ruleId,
  );
  return found?.at ?? null;
}

/** Puts the first waiting events of a rule into a message; returns how many. The rule must be locked. */
export function* adoptEvents(ruleId: string, notificationSeq: number, limit: number): Tx<number> {
  return yield* change(
    `update notification_event set notification_seq = ? where seq in (
       select seq from notification_event where rule_id = ? and notification_seq is null
       order by seq limit ?)`,
    notificationSeq,
    ruleId,
    limit,
  );
}

/** The events of a message, in order. */
export function* eventsOf(notificationSeq: number, limit: number): Tx<AccountEvent[]> {
  const found = yield* rows<{ event: string }>(
    "select event from notification_event where notification_seq = ? order by seq limit ?",
    notificationSeq,
    limit,
  );
  return found.map(({ event }) => JSON.parse(event) as AccountEvent);
}

/** Deletes the events of a rule that wait for a message. */
export function* dropWaitingEvents(ruleId: string): Tx<void> {
  yield* change(
    "delete from notification_event where rule_id = ? and notification_seq is null",
    ruleId,
  );
}

export function* deleteEventsOf(notificationSeq: number): Tx<void> {
  yield* change("delete from notification_event where notification_seq = ?", notificationSeq);
}
