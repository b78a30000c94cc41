// Notifications: the messages that rules sent, each with its deliveries. Operations of Freehold's own.

import Type, { type Static } from "typebox";
import { instant } from "../../fields.ts";
import type { Operations } from "../../operation.ts";
import { delivery } from "../job/job.ts";

const event = Type.Object({
  id: Type.String({ description: "The same for the same fact, in every message and rule." }),
  type: Type.String({ description: "The kind of the event, or test." }),
  at: instant,
  resolved: Type.Boolean({
    description: "Whether it announces the end of a condition, such as a crash loop.",
  }),
  summary: Type.String({ description: "What happened, in one sentence." }),
  resource: Type.Object({ type: Type.String(), id: Type.String(), name: Type.String() }),
  details: Type.Unsafe<Record<string, string | number | boolean | null>>(
    Type.Object({}, { description: "The facts; docs/notifications.md lists them for each type." }),
  ),
});

export const notification = Type.Object(
  {
    id: Type.String(),
    ruleId: Type.String(),
    test: Type.Boolean(),
    state: Type.Enum(["waiting", "delivered", "failed"], {
      description: "The state of the last delivery.",
    }),
    eventCount: Type.Integer({ description: "The number of its events." }),
    events: Type.Array(event, { description: "In a list the first 10." }),
    deliveries: Type.Array(delivery),
    createdAt: instant,
  },
  { title: "Notification" },
);
export type NotificationView = Static<typeof notification>;

const tag = "Notifications";
const read = { of: "rest", access: "read", area: "account" } as const;
const onePath = "/v1/notifications/{notificationId}";

export const notificationOperations = {
  listNotifications: {
    method: "GET",
    path: "/v1/notifications",
    tag,
    summary: "List notifications",
    description: "The messages of the last 7 days, the newest first.",
    needs: read,
    query: Type.Partial(
      Type.Object({
        ruleId: Type.String({ description: "Only messages of this rule." }),
        before: Type.String({ description: "Only messages before the one with this id." }),
        limit: Type.Integer({
          minimum: 1,
          maximum: 100,
          description: "At most so many. Default: 50.",
        }),
      }),
    ),
    answer: { status: 200, description: "The messages.", schema: Type.Array(notification) },
  },
  getNotification: {
    method: "GET",
    path: onePath,
    tag,
    summary: "Read a notification",
    needs: read,
    answer: { status: 200, description: "The message with all its events.", schema: notification },
  },
  redeliverNotification: {
    method: "POST",
    path: `${onePath}/redeliver`,
    tag,
    summary: "Redeliver a notification",
    description:
      "Creates a new delivery with its own retries, over the rule's channel as it is now and with the " +
      "same message id.",
    needs: { of: "rest", access: "write", area: "account" },
    answer: { status: 200, description: "The message.", schema: notification },
  },
} as const satisfies Operations;
