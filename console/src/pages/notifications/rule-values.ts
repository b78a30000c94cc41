// The values of the form for notification rules, and the request that they become.

import type { Schema } from "../../api/client.ts";
import { type EventKind, isAboutEndpoints, isAboutPods } from "./event-kinds.ts";

export type Rule = Schema["NotificationRule"];

export const channelNames: Record<Rule["channel"]["type"], string> = {
  webhook: "Webhook",
  email: "E-mail",
  slack: "Slack",
  ntfy: "ntfy",
};

export interface RuleValues {
  name: string;
  events: EventKind[];
  /** Null for all. */
  endpointIds: string[] | null;
  podIds: string[] | null;
  count: number;
  /** NaN for any share. */
  percent: number;
  windowMinutes: number;
  type: string;
  url: string;
  secret: string;
  /** Separated by commas. */
  to: string;
  webhookUrl: string;
  topic: string;
  token: string;
}

export function valuesOf(rule?: Rule): RuleValues {
  const { count = 5, percent = Number.NaN, windowMinutes = 10 } = rule?.failures ?? {};
  const { type = "webhook", url = "", to = [], topic = "" } = rule?.channel ?? {};
  return {
    name: rule?.name ?? "",
    events: rule?.events ?? ["pod_ended"],
    endpointIds: rule?.endpointIds.length ? rule.endpointIds : null,
    podIds: rule?.podIds.length ? rule.podIds : null,
    count,
    percent,
    windowMinutes,
    type,
    url,
    topic,
    to: to.join(", "),
    secret: "",
    webhookUrl: "",
    token: "",
  };
}

export function ruleBody(values: RuleValues): Schema["NotificationRuleCreate"] {
  const { name, events, count, percent, windowMinutes } = values;
  const failures = { count, percent: Number.isNaN(percent) ? null : percent, windowMinutes };
  const { endpointIds, podIds } = values;
  return {
    name,
    events,
    endpointIds: (isAboutEndpoints(events) && endpointIds) || [],
    podIds: (isAboutPods(events) && podIds) || [],
    ...(events.includes("jobs_failing") && { failures }),
    channel: channelOf(values),
  };
}

function channelOf(values: RuleValues): Schema["NotificationChannelInput"] {
  const { type, url, secret, to, webhookUrl, topic, token } = values;
  if (type === "email") return { type, to: addressesIn(to) };
  if (type === "slack") return { type, ...(webhookUrl && { webhookUrl }) };
  if (type === "ntfy") return { type, topic, ...(url && { url }), ...(token && { token }) };
  return { type: "webhook", url, ...(secret && { secret }) };
}

const addressesIn = (text: string) =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");

/** What the schema cannot say: which fields a channel needs. */
export function ruleErrors(
  { events, endpointIds, podIds, type, url, to, webhookUrl, topic }: RuleValues,
  rule?: Rule,
): Partial<Record<keyof RuleValues, string>> {
  const knowsAddress = rule?.channel.type === "slack";
  return {
    ...(events.length === 0 && { events: "Select at least one event." }),
    ...(isAboutEndpoints(events) &&
      endpointIds?.length === 0 && { endpointIds: "Select at least one endpoint." }),
    ...(isAboutPods(events) && podIds?.length === 0 && { podIds: "Select at least one Pod." }),
    ...(type === "webhook" && url === "" && { url: "Enter the receiver's address." }),
    ...(type === "email" && addressesIn(to).length === 0 && { to: "Enter an address." }),
    ...(type === "slack" &&
      webhookUrl === "" &&
      !knowsAddress && { webhookUrl: "Enter the address of an incoming webhook." }),
    ...(type === "ntfy" && topic === "" && { topic: "Enter a topic." }),
  };
}
