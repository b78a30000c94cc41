// Sends notifications over the channels of their rules.

import type { Vault } from "../../base/vault.ts";
import { MAX_EVENTS } from "../../domain/notification/digest.ts";
import { type NotificationRule, secretOwner } from "../../domain/notification/rule.ts";
import type { Delivery } from "../../domain/webhook/delivery.ts";
import { findAccount } from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { eventsOf } from "../../store/notification/event.ts";
import { findNotification } from "../../store/notification/notification.ts";
import { findRule } from "../../store/notification/rule.ts";
import { recordNotificationTry } from "../../transactions/notification/send.ts";
import { type DeliverDeps, type DeliveryAttempt, deliverLoop } from "../deliveries/deliver.ts";
import { post } from "../deliveries/post.ts";
import type { Loop } from "../engine/loop.ts";
import { type Message, mailOf, requestOf } from "./channel-request.ts";
import { type MailSettings, sendMail } from "./mail-sender.ts";

export interface NotifyDeps extends DeliverDeps {
  vault: Vault;
  /** The address of the console, for links to its pages; null if it is not known. */
  publicUrl: string | null;
  /** Null if the operator configured no mail server. */
  mail: MailSettings | null;
}

export function deliverNotificationsLoop(deps: NotifyDeps): Loop {
  return deliverLoop(deps, {
    name: "deliver-notifications",
    subject: "notification",
    async attempt(delivery, signal) {
      const found = await deps.store.read(findMessage, delivery);
      if (!found) return { status: null, error: "its rule was deleted", final: true };
      const attempt = await send(deps, found, signal);
      // A test reports its first try, and does not bother anyone later.
      return found.message.notification.test && attempt.error !== null
        ? { ...attempt, final: true }
        : attempt;
    },
    record: recordNotificationTry,
  });
}

interface Found {
  rule: NotificationRule;
  message: Omit<Message, "origin">;
  /** Signs webhooks of rules without a secret of their own; null if the account has none. */
  accountSecret: string | null;
}

function* findMessage({ subjectSeq, message: messageId }: Delivery): Tx<Found | null> {
  const notification = yield* findNotification(subjectSeq);
  const rule = notification && (yield* findRule(notification.ruleId));
  if (!notification || !rule) return null;
  const account = yield* findAccount(rule.accountId);
  const events = yield* eventsOf(subjectSeq, MAX_EVENTS);
  const message = { messageId, notification, events };
  return { rule, message, accountSecret: account?.webhookSecret ?? null };
}

async function send(
  deps: NotifyDeps,
  { rule, message: stored, accountSecret }: Found,
  signal: AbortSignal,
): Promise<DeliveryAttempt> {
  const message = { ...stored, origin: deps.publicUrl };
  const { clock, protocol, reach, vault, mail } = deps;
  const timeoutMs = protocol.webhookTimeoutMs;
  const { id, name, channel } = rule;
  if (channel.type === "email") {
    const content = mailOf(rule, channel, message);
    if (mail) return sendMail(mail, content, { clock, timeoutMs, signal });
    const error = "the operator has configured no mail server";
    return { status: null, error, final: true };
  }
  const own = rule.secret === null ? null : vault.open(rule.secret, secretOwner(id));
  const secret = channel.type === "webhook" ? (own ?? accountSecret) : own;
  const request = requestOf({ id, name, channel, secret }, message, clock.now());
  return post(request, { clock, timeoutMs, reach, signal });
}
