// A notification as clients read it.

import type { NotificationView } from "../../../contract/rest-v1/notification/notification.ts";
import type { NotificationView as Found } from "../../../flows/notification/read.ts";
import { instant } from "../../management/serve/instant.ts";
import { deliveryRead } from "../job/job-view.ts";

export function notificationRead({ notification, events, deliveries }: Found): NotificationView {
  const { id, ruleId, test, events: eventCount, createdAt } = notification;
  return {
    id,
    ruleId,
    test,
    state: deliveries.at(-1)?.state ?? "waiting",
    eventCount,
    events: events.map(({ at, details, ...event }) => {
      return { ...event, at: instant(at), details: { ...details } };
    }),
    deliveries: deliveries.map(deliveryRead),
    createdAt: instant(createdAt),
  };
}
