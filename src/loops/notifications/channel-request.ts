// What a notification sends: a webhook in the Standard Webhooks form, what Slack and ntfy take, or an e-mail.

import type { Channel } from "../../domain/notification/channel.ts";
import { consolePage } from "../../domain/notification/console-page.ts";
import { type DigestText, digestText } from "../../domain/notification/digest.ts";
import type { AccountEvent } from "../../domain/notification/event.ts";
import type { Notification } from "../../domain/notification/notification.ts";
import type { NotificationRule } from "../../domain/notification/rule.ts";
import { jsonRequest, signedRequest } from "../deliveries/json-request.ts";
import type { WebhookRequest } from "../deliveries/post.ts";
import type { Mail } from "./mail-sender.ts";

export interface Message {
  /** Stays as it is in every try, and when the message is sent again. */
  messageId: string;
  notification: Notification;
  events: AccountEvent[];
  /** The console's address; null if no public address is known. */
  origin: string | null;
}

interface OpenRule extends Pick<NotificationRule, "id" | "name"> {
  channel: Exclude<Channel, { type: "email" }>;
  /** The secret as the channel needs it, no longer sealed. */
  secret: string | null;
}

/** `now` is the instant of this try. */
export function requestOf(rule: OpenRule, message: Message, now: number): WebhookRequest {
  const { channel, secret } = rule;
  const text = digestText(rule.name, message.events, message.origin);
  if (channel.type === "webhook") return webhook(rule, channel.url, message, now);
  if (channel.type === "slack") return jsonRequest(secret ?? "", { text: slackText(text) });
  const { title, lines } = text;
  const click = linkOf(message);
  const body = { topic: channel.topic, title, message: lines.join("\n"), ...click };
  return jsonRequest(
    channel.url,
    body,
    secret === null ? {} : { authorization: `Bearer ${secret}` },
  );
}

/** ntfy opens one page. */
function linkOf({ events, origin }: Message): { click?: string } {
  const [first] = events;
  return first && origin !== null ? { click: consolePage(first, origin) } : {};
}

function webhook(
  rule: OpenRule,
  url: string,
  { messageId, notification, events, origin }: Message,
  now: number,
): WebhookRequest {
  const body = {
    type: "notification",
    timestamp: instant(notification.createdAt),
    data: {
      notificationId: notification.id,
      accountId: notification.accountId,
      rule: { id: rule.id, name: rule.name },
      test: notification.test,
      events: events.map((event) => ({
        ...event,
        at: instant(event.at),
        ...(origin !== null && { url: consolePage(event, origin) }),
      })),
    },
  };
  return signedRequest(url, body, { message: messageId, secret: rule.secret }, now);
}

const instant = (at: number) => new Date(at).toISOString();

/** Slack reads "<" and "&" as the beginning of links and entities. */
const slackText = ({ title, lines }: DigestText) =>
  [...(lines.length > 1 ? [title] : []), ...lines]
    .join("\n")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

export function mailOf(
  { name }: NotificationRule,
  { to }: Extract<Channel, { type: "email" }>,
  { messageId, events, origin }: Message,
): Mail {
  const { title, lines } = digestText(name, events, origin);
  const why = `You get this e-mail because of the notification rule "${name}" in Freehold.`;
  return { to, subject: title, text: [...lines, "", why].join("\n"), messageId };
}
