// Notification rules: which events of the account are announced, and over which channel. Operations of
// Freehold's own.

import Type, { type Static } from "typebox";
import { instant, name, TAKES } from "../../fields.ts";
import type { Operations } from "../../operation.ts";
import { notification } from "./notification.ts";

const MAX_IDS = 100;

const event = Type.Enum([
  "pod_ended",
  "pod_idle",
  "pod_lifetime",
  "pod_left_line",
  "pod_refused",
  "gpus_reserved",
  "reservation_short",
  "reservation_unused",
  "reservation_released",
  "jobs_failing",
  "worker_crash_loop",
  "schedule_failed",
  "machine_offline",
  "gpu_unhealthy",
  "mig_layout_restored",
  "certificate_ending",
  "budget_warning",
  "budget_spent",
  "balance_low",
  "balance_empty",
  "sign_in",
  "key_created",
]);

const events = Type.Array(event, {
  minItems: 1,
  uniqueItems: true,
  description:
    "The kinds of events to announce. Only the operator's account can have machine_offline, gpu_unhealthy, mig_layout_restored and certificate_ending.",
});

const idList = (description: string) =>
  Type.Array(Type.String({ minLength: 1 }), {
    maxItems: MAX_IDS,
    uniqueItems: true,
    description,
  });

const channelType = Type.Enum(["webhook", "email", "slack", "ntfy"]);
const url = Type.String({
  maxLength: 2_048,
  description:
    "webhook: the receiver's address. ntfy: the server's address, https://ntfy.sh if it is omitted.",
});
const to = Type.Array(Type.String({ maxLength: 254 }), {
  minItems: 1,
  maxItems: 10,
  description: "email: the addresses that get the message.",
});
const topic = Type.String({ maxLength: 64, description: "ntfy: the topic." });

const channelInput = Type.Object(
  {
    type: channelType,
    url: Type.Optional(url),
    secret: Type.Optional(
      Type.String({
        maxLength: 100,
        writeOnly: true,
        description:
          'webhook: signs the messages: "whsec_" and 24 to 64 bytes in padded base64. Without it, the account\'s ' +
          "webhook secret does, if there is one. Never returned.",
      }),
    ),
    to: Type.Optional(to),
    webhookUrl: Type.Optional(
      Type.String({
        maxLength: 2_048,
        writeOnly: true,
        description: "slack: the address of an incoming webhook. Never returned.",
      }),
    ),
    topic: Type.Optional(topic),
    token: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        pattern: "^[\\x21-\\x7e]+$",
        writeOnly: true,
        description: "ntfy: an access token. Never returned.",
      }),
    ),
  },
  {
    title: "NotificationChannelInput",
    description: "Where its messages go: its type, and the members of that type.",
    additionalProperties: false,
  },
);

const channel = Type.Object(
  {
    type: channelType,
    url: Type.Optional(url),
    to: Type.Optional(to),
    topic: Type.Optional(topic),
    host: Type.Optional(Type.String({ description: "slack: the host of the webhook's address." })),
    hasSecret: Type.Boolean({ description: "Whether a secret or token is stored." }),
  },
  { title: "NotificationChannel" },
);

const count = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description: "At least this many jobs of an endpoint failed within the window. Default: 5.",
});
const percent = Type.Integer({
  minimum: 1,
  maximum: 100,
  description:
    "They are at least this percentage of the jobs that ended within the window. Default: any percentage.",
});
const windowMinutes = Type.Integer({
  minimum: 1,
  maximum: 1_440,
  description: "The window in minutes. Default: 10.",
});

const failuresInput = Type.Object(
  {
    count: Type.Optional(count),
    percent: Type.Optional(
      Type.Union([percent, Type.Null()], {
        [TAKES]: "a whole number from 1 to 100, or null for any percentage",
        description: "At least this percentage of the jobs that ended within the window failed.",
      }),
    ),
    windowMinutes: Type.Optional(windowMinutes),
  },
  {
    additionalProperties: false,
    description: "When jobs_failing begins. It ends at half of the threshold.",
  },
);

const enabled = Type.Boolean({ description: "Whether events are announced. Default: true." });
const endpointIds = idList(
  "Only jobs, workers and schedules of these endpoints. Default: all endpoints.",
);
const podIds = idList("Only these Pods. Default: all Pods.");

const settings = {
  enabled: Type.Optional(enabled),
  endpointIds: Type.Optional(endpointIds),
  podIds: Type.Optional(podIds),
  failures: Type.Optional(failuresInput),
};

const ruleCreate = Type.Object(
  { name, events, channel: channelInput, ...settings },
  { title: "NotificationRuleCreate", additionalProperties: false },
);

const ruleUpdate = Type.Object(
  {
    name: Type.Optional(name),
    events: Type.Optional(events),
    channel: Type.Optional(channelInput),
    ...settings,
  },
  { title: "NotificationRuleUpdate", additionalProperties: false },
);

const rule = Type.Object(
  {
    id: Type.String(),
    name,
    enabled,
    events,
    endpointIds,
    podIds,
    failures: Type.Object({ count, percent: Type.Optional(percent), windowMinutes }),
    channel,
    notifiedAt: Type.Optional({ ...instant, description: "When the last message was made." }),
    createdAt: instant,
    updatedAt: instant,
  },
  { title: "NotificationRule" },
);
export type NotificationRuleView = Static<typeof rule>;

const rulePath = "/v1/notification-rules/{notificationRuleId}";
const tag = "Notifications";
const read = { of: "rest", access: "read", area: "account" } as const;
const needs = { of: "rest", access: "write", area: "account" } as const;
const answer = {
  status: 200,
  description: "The rule, without its secrets.",
  schema: rule,
} as const;

export const notificationRuleOperations = {
  createNotificationRule: {
    method: "POST",
    path: "/v1/notification-rules",
    tag,
    summary: "Create a notification rule",
    description:
      "A rule sends a message when one of its events happens. Events that happen close together " +
      "are collected: a rule sends at most one message a minute.",
    needs,
    body: ruleCreate,
    once: true,
    answer: { ...answer, status: 201 },
  },
  listNotificationRules: {
    method: "GET",
    path: "/v1/notification-rules",
    tag,
    summary: "List notification rules",
    needs: read,
    answer: { status: 200, description: "The rules.", schema: Type.Array(rule) },
  },
  getNotificationRule: {
    method: "GET",
    path: rulePath,
    tag,
    summary: "Read a notification rule",
    needs: read,
    answer,
  },
  updateNotificationRule: {
    method: "PATCH",
    path: rulePath,
    tag,
    summary: "Change a notification rule",
    description:
      "A channel is replaced as a whole; its secret stays if it is left out and the address stays. " +
      "A rule that is disabled drops the events that wait for a message.",
    needs,
    body: ruleUpdate,
    answer,
  },
  deleteNotificationRule: {
    method: "DELETE",
    path: rulePath,
    tag,
    summary: "Delete a notification rule",
    description: "Messages that it sent stay listed until their retention is over.",
    needs,
    answer: { status: 204, description: "The rule is deleted." },
  },
  testNotificationRule: {
    method: "POST",
    path: `${rulePath}/test`,
    tag,
    summary: "Send a test message",
    description:
      "Sends a message with an event of the type test, also if the rule is disabled, and answers when it " +
      "was tried. It is tried once. A rule can be tested once in 5 seconds.",
    needs,
    answer: {
      status: 200,
      description: "The message with its delivery and the result.",
      schema: notification,
    },
  },
} as const satisfies Operations;
