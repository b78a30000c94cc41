// Reading notification rules, and what they sent.

import { Fault } from "../../domain/fault.ts";
import type { AccountEvent } from "../../domain/notification/event.ts";
import type { Notification } from "../../domain/notification/notification.ts";
import type { NotificationRule } from "../../domain/notification/rule.ts";
import type { DeliveryLog } from "../../domain/webhook/delivery.ts";
import { deliveriesOf } from "../../store/delivery/delivery.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { eventsOf } from "../../store/notification/event.ts";
import {
  findNotificationById,
  listNotifications,
  type NotificationFilter,
} from "../../store/notification/notification.ts";
import { findRule, listRules } from "../../store/notification/rule.ts";

interface ReadDeps {
  store: Store;
}

export function notificationRules(
  { store }: ReadDeps,
  accountId: string,
): Promise<NotificationRule[]> {
  return store.read(listRules, accountId);
}

export async function readNotificationRule(
  { store }: ReadDeps,
  accountId: string,
  id: string,
): Promise<NotificationRule> {
  const rule = await store.read(findRule, id);
  if (rule?.accountId !== accountId) throw new Fault("notification_rule_not_found", { id });
  return rule;
}

export interface NotificationView {
  notification: Notification;
  /** The first of its events. */
  events: AccountEvent[];
  deliveries: DeliveryLog[];
}

/** A list shows the first events of each; one alone shows all of its own. */
const EVENTS_IN_LIST = 10;
const ALL_EVENTS = 100_000;

export type NotificationQuery = Omit<NotificationFilter, "beforeSeq"> & {
  /** The id of the message that the page begins after; null for the first page. */
  before: string | null;
};

export async function notificationsOf(
  { store }: ReadDeps,
  query: NotificationQuery,
): Promise<NotificationView[]> {
  return store.read(list, query);
}

function* list({ before, ...filter }: NotificationQuery): Tx<NotificationView[]> {
  const last = before === null ? undefined : yield* findNotificationById(before);
  if (before !== null && last?.accountId !== filter.accountId) return [];
  const beforeSeq = last?.seq ?? Number.MAX_SAFE_INTEGER;
  const found: NotificationView[] = [];
  for (const each of yield* listNotifications({ ...filter, beforeSeq })) {
    found.push(yield* viewOf(each, EVENTS_IN_LIST));
  }
  return found;
}

export async function readNotification(
  { store }: ReadDeps,
  accountId: string,
  id: string,
): Promise<NotificationView> {
  const found = await store.read(one, accountId, id);
  if (!found) throw new Fault("notification_not_found", { id });
  return found;
}

function* one(accountId: string, id: string): Tx<NotificationView | null> {
  const notification = yield* findNotificationById(id);
  return notification?.accountId === accountId ? yield* viewOf(notification, ALL_EVENTS) : null;
}

function* viewOf(notification: Notification, limit: number): Tx<NotificationView> {
  const { seq } = notification;
  const events = yield* eventsOf(seq, limit);
  return { notification, events, deliveries: yield* deliveriesOf("notification", seq) };
}
