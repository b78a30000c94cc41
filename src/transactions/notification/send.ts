// Makes the messages of rules, each with its first delivery, and repeats deliveries.

import { Fault } from "../../domain/fault.ts";
import { addressOf } from "../../domain/notification/channel.ts";
import { type DigestTiming, MAX_EVENTS, messageAt } from "../../domain/notification/digest.ts";
import { accountEvent } from "../../domain/notification/event.ts";
import type { Notification } from "../../domain/notification/notification.ts";
import type { NotificationRule } from "../../domain/notification/rule.ts";
import type { Delivery } from "../../domain/webhook/delivery.ts";
import type { AfterTry } from "../../domain/webhook/next-try.ts";
import { insertDelivery, recordTry } from "../../store/delivery/delivery.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { adoptEvents, insertEvent, oldestWaiting } from "../../store/notification/event.ts";
import {
  findNotification,
  insertNotification,
  lastTestAt,
  lockNotification,
  notifyNotification,
  setEventCount,
} from "../../store/notification/notification.ts";
import { lockRule, setNotifiedAt } from "../../store/notification/rule.ts";

/** Makes a message of the events that wait, if it is due. */
export function* sendWaitingEvents(
  ruleId: string,
  id: string,
  timing: DigestTiming,
  now: number,
): Tx<void> {
  const rule = yield* lockRule(ruleId);
  const oldestAt = yield* oldestWaiting(ruleId);
  if (!rule || oldestAt === null) return;
  // Another replica may have made a message since this one read.
  if (messageAt({ oldestAt, notifiedAt: rule.notifiedAt }, timing, now) > now) return;
  yield* makeNotification(rule, { id, test: false }, now);
  yield* setNotifiedAt(rule, now);
}

/** The shortest time between two tests of a rule: each of them is a message to a person. */
const TEST_PAUSE_MS = 5_000;

/** Sends a message that says it is a test, also of a disabled rule. */
export function* sendTest(
  accountId: string,
  ruleId: string,
  id: string,
  now: number,
): Tx<Notification | Fault> {
  const rule = yield* lockRule(ruleId);
  if (rule?.accountId !== accountId)
    return new Fault("notification_rule_not_found", { id: ruleId });
  const testedAt = yield* lastTestAt(ruleId);
  if (testedAt !== null && now - testedAt < TEST_PAUSE_MS && now >= testedAt) {
    const detail = `a notification rule can be tested once in ${TEST_PAUSE_MS / 1_000} s`;
    return new Fault("rate_limited", { detail }, { retryAfterS: TEST_PAUSE_MS / 1_000 });
  }
  const event = accountEvent({
    type: "test",
    at: now,
    summary: `This is a test of the notification rule ${rule.name}.`,
    resource: { type: "rule", id: rule.id, name: rule.name },
    details: {},
  });
  return yield* makeNotification(rule, { id, test: true }, now, event);
}

function* makeNotification(
  rule: NotificationRule,
  { id, test }: Pick<Notification, "id" | "test">,
  now: number,
  testEvent?: ReturnType<typeof accountEvent>,
): Tx<Notification> {
  const { accountId } = rule;
  const notification = yield* insertNotification({
    id,
    accountId,
    ruleId: rule.id,
    test,
    createdAt: now,
  });
  const events = testEvent
    ? yield* insertEvent(rule.id, testEvent, notification.seq)
    : yield* adoptEvents(rule.id, notification.seq, MAX_EVENTS);
  yield* setEventCount(notification.seq, events);
  yield* addDelivery(notification, rule, now);
  return { ...notification, events };
}

/** A delivery with tries of its own; the message id stays, so that a receiver recognizes the message. */
function* addDelivery(
  { seq, id }: Notification,
  rule: NotificationRule,
  now: number,
): Tx<Delivery> {
  const url = addressOf(rule.channel);
  const about = { subject: "notification", subjectSeq: seq, laneId: rule.id, url } as const;
  return yield* insertDelivery(about, () => `msg_${id}`, now);
}

/** Sends a message again, to where the rule sends now. */
export function* redeliverNotification(
  accountId: string,
  id: string,
  now: number,
): Tx<Notification | Fault> {
  const found = yield* lockNotification(id);
  if (found?.accountId !== accountId) return new Fault("notification_not_found", { id });
  const rule = yield* lockRule(found.ruleId);
  if (!rule) return new Fault("notification_rule_not_found", { id: found.ruleId });
  yield* addDelivery(found, rule, now);
  yield* notifyNotification(found);
  return found;
}

/** Records a try of a delivery. */
export function* recordNotificationTry(
  delivery: Delivery,
  outcome: Parameters<typeof recordTry>[1],
  after: AfterTry,
): Tx<void> {
  yield* recordTry(delivery, outcome, after);
  const notification = yield* findNotification(delivery.subjectSeq);
  if (notification) yield* notifyNotification(notification);
}
