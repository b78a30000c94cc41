// The resources of an account and its people, as commands of their own.

import type { Exemption } from "../../contract/rest-v1/account/exemption.ts";
import type { NotificationView } from "../../contract/rest-v1/notification/notification.ts";
import { exactTimeText, timeText } from "../output/time-text.ts";
import { age, creditsText, dollars, reservationUse, usedOf } from "./cells.ts";
import { labeledFilter } from "./owner-column.ts";
import { type Resource, resource } from "./resource.ts";

/** The result of a notification rule's test. */
function testFailure({ state, deliveries }: NotificationView): string | null {
  if (state === "delivered") return null;
  const tries = deliveries.at(-1)?.tries ?? [];
  return `did not deliver its test: ${tries.at(-1)?.error ?? "there is no answer yet"}`;
}

const memberSchemas = async () =>
  (await import("../../contract/rest-v1/account/member.ts")).memberOperations;

export const accountResources: Record<string, Resource> = {
  account: resource({
    noun: "account",
    list: "GET /v1/accounts",
    get: "GET /v1/accounts/{accountId}",
    create: "POST /v1/accounts",
    update: "PATCH /v1/accounts/{accountId}",
    actions: {
      disable: {
        route: "PATCH /v1/accounts/{accountId}",
        body: { disabled: true },
        about: "reject the keys of accounts and stop what they run",
        done: "is disabled",
      },
      enable: {
        route: "PATCH /v1/accounts/{accountId}",
        body: { disabled: false },
        about: "accept the keys of accounts again; their Pods stay stopped",
        done: "is enabled",
      },
    },
    columns: [
      ["ID", ({ id }) => id],
      ["NAME", ({ name }) => name],
      ["STATE", ({ disabled }) => (disabled ? "disabled" : "enabled")],
      ["CREDITS", creditsText],
      ["COST/H", ({ spendPerHr }) => dollars(spendPerHr)],
      ["MAX LIFE", ({ maxLifetime }) => (maxLifetime ? `${maxLifetime.minutes} min` : "")],
      ["AGE", ({ createdAt }) => age(createdAt)],
    ],
    schemas: async () =>
      (await import("../../contract/rest-v1/account/accounts.ts")).accountsOperations,
  }),
  projects: resource({
    noun: "project",
    list: "GET /v1/projects",
    get: "GET /v1/projects/{projectId}",
    create: "POST /v1/projects",
    update: "PATCH /v1/projects/{projectId}",
    remove: "DELETE /v1/projects/{projectId}",
    columns: [
      ["ID", ({ id }) => id],
      ["NAME", ({ name }) => name],
      ["MEMBERS", ({ members }) => members.map(({ name }) => name).join(", ")],
      ["GPUS", ({ used, limits }) => usedOf(used.gpus, limits.gpus)],
      ["PODS", ({ used, limits }) => usedOf(used.pods, limits.pods)],
      ["IDLE STOP", ({ stopWhenIdle }) => (stopWhenIdle ? `${stopWhenIdle.minutes} min` : "")],
      ["MAX LIFE", ({ maxLifetime }) => (maxLifetime ? `${maxLifetime.minutes} min` : "")],
      ["OVER", ({ over }) => over.join(", ")],
      ["AGE", ({ createdAt }) => age(createdAt)],
    ],
    schemas: async () =>
      (await import("../../contract/rest-v1/account/project.ts")).projectOperations,
  }),
  exemptions: resource({
    noun: "exemption",
    list: "GET /v1/exemptions",
    create: "POST /v1/exemptions",
    remove: "DELETE /v1/exemptions/{exemptionId}",
    columns: [
      ["ID", ({ id }) => id],
      ["FOR", exemptTarget],
      ["UNTIL", ({ until }) => (until ? timeText(until) : "for good")],
      ["REASON", ({ reason }) => reason],
      ["BY", ({ byOperator, createdBy }) => createdBy?.name ?? (byOperator ? "the operator" : "")],
    ],
    filters: { accountId: "of this account, for the operator" },
    schemas: async () =>
      (await import("../../contract/rest-v1/account/exemption.ts")).exemptionOperations,
  }),
  reservations: resource({
    noun: "reservation",
    list: "GET /v1/reservations",
    get: "GET /v1/reservations/{reservationId}",
    create: "POST /v1/reservations",
    update: "PATCH /v1/reservations/{reservationId}",
    remove: "DELETE /v1/reservations/{reservationId}",
    columns: [
      ["ID", ({ id }) => id],
      ["GPUS", ({ gpuTypeId, gpuCount }) => `${gpuCount} x ${gpuTypeId}`],
      ["FROM", ({ from }) => timeText(from)],
      ["UNTIL", ({ until }) => timeText(until)],
      ["FOR", ({ project, createdBy }) => project?.name ?? createdBy?.name ?? "the account"],
      ["USE", reservationUse],
      ["NOTE", ({ note }) => note ?? ""],
    ],
    filters: {
      from: "that end after this instant (default: now)",
      until: "that begin before this instant",
      gpuTypeId: "of this GPU type",
      ...labeledFilter,
      after: "after this position: FROM and ID of a reservation, as FROM/ID",
      limit: "at most so many (default: 100)",
    },
    findIn: { limit: 1000 },
    schemas: async () =>
      (await import("../../contract/rest-v1/account/reservation.ts")).reservationOperations,
  }),
  budget: resource({
    noun: "budget",
    list: "GET /v1/budgets",
    get: "GET /v1/budgets/{budgetId}",
    create: "POST /v1/budgets",
    update: "PATCH /v1/budgets/{budgetId}",
    remove: "DELETE /v1/budgets/{budgetId}",
    columns: [
      ["ID", ({ id }) => id],
      ["NAME", ({ name }) => name],
      ["FOR", ({ endpointId, keyId, label, scope }) => endpointId ?? keyId ?? label ?? scope],
      ["PERIOD", ({ period }) => period],
      ["SPENT", ({ spent }) => dollars(spent)],
      ["LIMIT", ({ limit }) => dollars(limit)],
      ["STATE", ({ state }) => state],
    ],
    filters: { labels: labeledFilter.labels },
    schemas: async () =>
      (await import("../../contract/rest-v1/billing/budget.ts")).budgetOperations,
  }),
  notifications: resource({
    noun: "notification rule",
    list: "GET /v1/notification-rules",
    get: "GET /v1/notification-rules/{notificationRuleId}",
    create: "POST /v1/notification-rules",
    update: "PATCH /v1/notification-rules/{notificationRuleId}",
    remove: "DELETE /v1/notification-rules/{notificationRuleId}",
    actions: {
      test: {
        route: "POST /v1/notification-rules/{notificationRuleId}/test",
        about: "send a test message over the rule's channel",
        done: "delivered its test",
        failure: testFailure,
      },
    },
    columns: [
      ["ID", ({ id }) => id],
      ["NAME", ({ name }) => name],
      ["STATE", ({ enabled }) => (enabled ? "enabled" : "disabled")],
      ["CHANNEL", ({ channel: { type } }) => type],
      ["EVENTS", ({ events }) => events.join(", ")],
      ["SENT", ({ notifiedAt }) => age(notifiedAt)],
    ],
    schemas: async () =>
      (await import("../../contract/rest-v1/notification/notification-rule.ts"))
        .notificationRuleOperations,
  }),
  members: resource({
    noun: "member",
    list: "GET /v1/members",
    get: "GET /v1/members/{memberId}",
    update: "PATCH /v1/members/{memberId}",
    columns: [
      ["ID", ({ id }) => id],
      ["NAME", ({ name }) => name],
      ["EMAIL", ({ email }) => email],
      ["ROLE", ({ role }) => role],
      ["AGE", ({ createdAt }) => age(createdAt)],
    ],
    schemas: memberSchemas,
  }),
  invitations: resource({
    noun: "invitation",
    list: "GET /v1/invitations",
    create: "POST /v1/invitations",
    remove: "DELETE /v1/invitations/{invitationId}",
    shownOnce: "link",
    columns: [
      ["ID", ({ id }) => id],
      ["EMAIL", ({ email }) => email],
      ["ROLE", ({ role }) => role],
      ["AGE", ({ createdAt }) => age(createdAt)],
      ["EXPIRES", ({ expiresAt }) => timeText(expiresAt)],
    ],
    schemas: memberSchemas,
  }),
  audit: resource({
    noun: "entry",
    plural: "entries of the audit log",
    list: "GET /v1/audit",
    columns: [
      ["TIME", ({ at }) => exactTimeText(at)],
      [
        "ACTOR",
        ({ memberEmail, keyName, podId, actor }) => memberEmail ?? keyName ?? podId ?? actor,
      ],
      ["OPERATION", ({ operation }) => operation],
      ["RESOURCE", ({ resourceType, resourceId }) => [resourceType, resourceId].join(" ").trim()],
      ["OUTCOME", ({ outcome, detail }) => [outcome, detail].filter(Boolean).join(": ")],
      ["FROM", ({ address, via }) => address ?? via],
    ],
    filters: {
      startTime: "at or after this instant",
      endTime: "before this instant",
      actor: "by a member, key, pod or system",
      memberId: "by this member",
      keyId: "with this key",
      operation: "only this operation, or those that begin with the text before a *",
      resourceType: "of this kind of resource, such as pod",
      resourceId: "of this resource",
      outcome: "done or refused",
      before: "before the entry with this id",
      limit: "at most so many (default: 100)",
    },
    schemas: async () => (await import("../../contract/rest-v1/account/audit.ts")).auditOperations,
  }),
};

function exemptTarget({ podId, memberId, projectId, label }: Exemption): string {
  if (podId) return `Pod ${podId}`;
  return memberId ? `member ${memberId}` : (label ?? `project ${projectId}`);
}
