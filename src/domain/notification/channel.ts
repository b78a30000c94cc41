// The channels of notification rules: what each needs, and what of it is secret. Pure.

import { isWebhookSecret } from "../webhook/signature.ts";

export type ChannelType = "webhook" | "email" | "slack" | "ntfy";

export type Channel =
  | { type: "webhook"; url: string }
  | { type: "email"; to: string[] }
  /** The whole address of a Slack webhook is secret; `host` may be shown. */
  | { type: "slack"; host: string }
  | { type: "ntfy"; url: string; topic: string };

/** A channel as clients send it: the fields of all types. */
export interface ChannelRequest {
  type: ChannelType;
  url?: string;
  secret?: string;
  to?: string[];
  webhookUrl?: string;
  topic?: string;
  token?: string;
}

export interface CheckedChannel {
  channel: Channel;
  /** Undefined if the request has none: an earlier one may stay. */
  secret: string | undefined;
}

type Field = Exclude<keyof ChannelRequest, "type">;

const fields: Record<ChannelType, { needs: Field[]; may: Field[] }> = {
  webhook: { needs: ["url"], may: ["secret"] },
  email: { needs: ["to"], may: [] },
  slack: { needs: ["webhookUrl"], may: [] },
  ntfy: { needs: ["topic"], may: ["url", "token"] },
};

const NTFY_URL = "https://ntfy.sh";

/** `before` is the channel that it replaces. Returns a sentence if the request is not valid. */
export function checkChannel(request: ChannelRequest, before?: Channel): CheckedChannel | string {
  const { type } = request;
  const { needs, may } = fields[type];
  // A Slack address cannot be read, so a request without one keeps it.
  const needed = type === "slack" && before?.type === "slack" ? [] : needs;
  const missing = needed.find((field) => request[field] === undefined);
  if (missing) return `A channel of type "${type}" needs "channel.${missing}".`;
  const sent = Object.keys(request).filter((field) => field !== "type") as Field[];
  const other = sent.find((field) => ![...needs, ...may].includes(field));
  if (other) return `A channel of type "${type}" has no "channel.${other}".`;
  return checks[type](request, before);
}

const checks: Record<
  ChannelType,
  (request: ChannelRequest, before?: Channel) => CheckedChannel | string
> = {
  webhook({ url = "", secret }) {
    if (!isHttpUrl(url)) return notUrl(url);
    if (secret !== undefined && !isWebhookSecret(secret)) {
      return '"channel.secret" must be "whsec_" and 24 to 64 bytes in base64, padded with "="; leave it out to sign with the account\'s secret.';
    }
    return { channel: { type: "webhook", url }, secret };
  },
  email({ to = [] }) {
    const wrong = to.find((address) => !isAddress(address));
    if (wrong === undefined) return { channel: { type: "email", to }, secret: undefined };
    return `"channel.to" must be a list of e-mail addresses; one is "${wrong.slice(0, 80)}".`;
  },
  slack({ webhookUrl }, before) {
    if (webhookUrl === undefined) return { channel: before!, secret: undefined };
    // It is not quoted, because the address is a secret.
    if (!isHttpUrl(webhookUrl)) return '"channel.webhookUrl" must be an http or https URL.';
    return { channel: { type: "slack", host: new URL(webhookUrl).host }, secret: webhookUrl };
  },
  ntfy({ url = NTFY_URL, topic = "", token }) {
    if (!isHttpUrl(url)) return notUrl(url);
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(topic)) {
      return '"channel.topic" must have 1 to 64 letters, digits, "_" or "-".';
    }
    return { channel: { type: "ntfy", url, topic }, secret: token };
  },
};

const notUrl = (url: string) =>
  `"channel.url" must be an http or https URL without a user name; it is "${url.slice(0, 80)}".`;

function isHttpUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return (url?.protocol === "http:" || url?.protocol === "https:") && url.username === "";
}

/** One address without a display name; the mail server decides whether it exists. */
const isAddress = (text: string) =>
  text.length <= 254 &&
  /^[^\s@<>,;:"()[\]\\]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text);

/** Whether a secret of `before` may stay: it goes nowhere else than before. */
export function keepsSecret(channel: Channel, before: Channel): boolean {
  if (channel.type === "slack") return before.type === "slack";
  if (channel.type === "email" || channel.type !== before.type) return false;
  return channel.url === before.url;
}

/** The address of a channel as it may be shown. */
export function addressOf(channel: Channel): string {
  if (channel.type === "webhook") return channel.url;
  if (channel.type === "email") return channel.to.map((each) => `mailto:${each}`).join(", ");
  if (channel.type === "slack") return `https://${channel.host}/...`;
  return `${channel.url.replace(/\/$/, "")}/${channel.topic}`;
}
