// Deletes rules, and messages whose time is over. The messages of a deleted rule stay until then.

import type { NotificationRule } from "../../domain/notification/rule.ts";
import { deleteDeliveries, hasWaitingDelivery } from "../../store/delivery/delivery.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { deleteEventsOf, dropWaitingEvents } from "../../store/notification/event.ts";
import { deleteIncidentsOf } from "../../store/notification/incident.ts";
import { deleteNotification, lockOldNotifications } from "../../store/notification/notification.ts";
import { deleteRule } from "../../store/notification/rule.ts";

/** The rule must be locked. */
export function* forgetRule(rule: NotificationRule): Tx<void> {
  yield* dropWaitingEvents(rule.id);
  yield* deleteIncidentsOf(rule.id);
  yield* deleteRule(rule);
}

export function* forgetNotifications(before: number, limit: number): Tx<void> {
  for (const { seq } of yield* lockOldNotifications(before, limit)) {
    if (yield* hasWaitingDelivery("notification", seq)) continue;
    yield* deleteDeliveries("notification", seq);
    yield* deleteEventsOf(seq);
    yield* deleteNotification(seq);
  }
}
