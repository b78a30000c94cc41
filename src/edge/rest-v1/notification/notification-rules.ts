// Routes of /v1/notification-rules.

import type { FastifyInstance } from "fastify";
import {
  type NotificationRuleView,
  notificationRuleOperations,
} from "../../../contract/rest-v1/notification/notification-rule.ts";
import type { NotificationRule } from "../../../domain/notification/rule.ts";
import { notificationRules, readNotificationRule } from "../../../flows/notification/read.ts";
import { type SendDeps, testNotificationRule } from "../../../flows/notification/send.ts";
import {
  changeNotificationRule,
  createNotificationRule,
  deleteNotificationRule,
  type NewRule,
  type RuleDeps,
  type RuleSettings,
} from "../../../flows/notification/write-rule.ts";
import { instant, present } from "../../management/serve/instant.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import type { Whole } from "../../management/serve/take-fields.ts";
import { notificationRead } from "./notification-view.ts";

export function notificationRuleRoutes(app: FastifyInstance, deps: RuleDeps & SendDeps): void {
  serveOperations(app, notificationRuleOperations, {
    async createNotificationRule({ accountId, body, once }) {
      const { name, events, channel, ...settings } = body;
      settings satisfies Whole<typeof settings, NewRule["settings"]>;
      const rule = { accountId, name, events, channel, settings, once };
      return ruleRead(await createNotificationRule(deps, rule));
    },
    async listNotificationRules({ accountId }) {
      return (await notificationRules(deps, accountId)).map(ruleRead);
    },
    async getNotificationRule({ accountId, params }) {
      return ruleRead(await readNotificationRule(deps, accountId, params.notificationRuleId));
    },
    async updateNotificationRule({ accountId, params, body }) {
      const { notificationRuleId: id } = params;
      body satisfies Whole<typeof body, RuleSettings>;
      return ruleRead(await changeNotificationRule(deps, accountId, id, body));
    },
    async deleteNotificationRule({ accountId, params }) {
      await deleteNotificationRule(deps, accountId, params.notificationRuleId);
    },
    async testNotificationRule({ accountId, params }) {
      const { notificationRuleId: id } = params;
      return notificationRead(await testNotificationRule(deps, accountId, id));
    },
  });
}

function ruleRead(rule: NotificationRule): NotificationRuleView {
  const { id, name, enabled, events, endpointIds, podIds, failures, channel, secret } = rule;
  const { percent, ...others } = failures;
  const { notifiedAt, createdAt, changedAt } = rule;
  return {
    id,
    name,
    enabled,
    events: [...events],
    endpointIds: [...endpointIds],
    podIds: [...podIds],
    failures: { ...others, ...(percent !== null && { percent }) },
    channel: { ...channel, hasSecret: secret !== null },
    ...present({ notifiedAt }),
    createdAt: instant(createdAt),
    updatedAt: instant(changedAt),
  };
}
