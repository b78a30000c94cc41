// The audit log of an account.

import Type, { type Static } from "typebox";
import { instant } from "../../fields.ts";
import type { Operations } from "../../operation.ts";

const text = (description: string) => Type.String({ description });

const actors = ["member", "key", "pod", "system"] as const;

const auditEntry = Type.Object(
  {
    id: text("Increases with every entry."),
    at: instant,
    actor: Type.Enum(actors, {
      description: "A member, a key of the account, a Pod with its own key, or the service itself.",
    }),
    keyId: Type.Optional(text("The key of the request.")),
    keyName: Type.Optional(Type.String()),
    memberId: Type.Optional(Type.String()),
    memberEmail: Type.Optional(Type.String()),
    podId: Type.Optional(text("The Pod that made the request.")),
    via: Type.Enum(["rest", "graphql", "ssh", "system"]),
    operation: text("The operationId in this document, or the root field of a GraphQL document."),
    resourceType: text("The kind of the resource: pod, endpoint, key, member and so on."),
    resourceId: Type.Optional(Type.String()),
    outcome: Type.Enum(["done", "refused"]),
    detail: Type.Optional(
      text("The error code of a refused request, or the reason of an action of the service."),
    ),
    address: Type.Optional(text("The client's IP address.")),
  },
  { title: "AuditEntry" },
);
export type AuditEntry = Static<typeof auditEntry>;

export const auditOperations = {
  listAudit: {
    method: "GET",
    path: "/v1/audit",
    tag: "Audit",
    summary: "List the audit log",
    description: "Newest first. For the next page, pass the id of the last entry as `before`.",
    needs: { of: "rest", access: "read", area: "account" },
    query: Type.Partial(
      Type.Object({
        startTime: { ...instant, description: "Only entries at or after this instant." },
        endTime: { ...instant, description: "Only entries before this instant." },
        keyId: text("Only requests with this key."),
        memberId: text("Only actions of this member."),
        actor: Type.Enum(actors, { description: "Only actions by this kind of actor." }),
        operation: text("Only this operation, or those that begin with the text before a *."),
        resourceType: text("Only this kind of resource."),
        resourceId: text("Only this resource."),
        outcome: Type.Enum(["done", "refused"]),
        before: Type.String({ pattern: "^\\d{1,15}$", "x-takes": "the id of an entry" }),
        limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100 }),
      }),
    ),
    answer: { status: 200, description: "The entries.", schema: Type.Array(auditEntry) },
  },
} as const satisfies Operations;
