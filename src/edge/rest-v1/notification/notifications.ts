// Routes of /v1/notifications.

import type { FastifyInstance } from "fastify";
import { notificationOperations } from "../../../contract/rest-v1/notification/notification.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { notificationsOf, readNotification } from "../../../flows/notification/read.ts";
import { resendNotification } from "../../../flows/notification/send.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import { notificationRead } from "./notification-view.ts";

export function notificationRoutes(app: FastifyInstance, deps: FlowDeps): void {
  serveOperations(app, notificationOperations, {
    async listNotifications({ accountId, query }) {
      const { ruleId = null, before = null, limit = 50 } = query;
      const found = await notificationsOf(deps, { accountId, ruleId, before, limit });
      return found.map(notificationRead);
    },
    async getNotification({ accountId, params }) {
      return notificationRead(await readNotification(deps, accountId, params.notificationId));
    },
    async redeliverNotification({ accountId, params }) {
      return notificationRead(await resendNotification(deps, accountId, params.notificationId));
    },
  });
}
