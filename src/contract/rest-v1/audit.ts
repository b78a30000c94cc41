// Who did what in an account.

import Type, { type Static } from "typebox";
import { instant } from "../fields.ts";
import type { Operations } from "../operation.ts";

const text = (description: string) => Type.String({ description });

const entry = Type.Object(
  {
    id: text("Rises with every entry."),
    at: instant,
    actor: Type.Enum(["member", "key", "pod", "system"], {
      description:
        "A member, a key of the account's own, a Pod with its own key, or the service by itself.",
    }),
    keyId: Type.Optional(text("The key that it was asked with.")),
    keyName: Type.Optional(Type.String()),
    memberId: Type.Optional(Type.String()),
    memberEmail: Type.Optional(Type.String()),
    podId: Type.Optional(text("The Pod that asked for it.")),
    via: Type.Enum(["rest", "graphql", "system"]),
    operation: text("Its name in this document, or the root of a GraphQL document."),
    resourceType: text("What it is about: pod, endpoint, key, member and so on."),
    resourceId: Type.Optional(Type.String()),
    outcome: Type.Enum(["done", "refused"]),
    detail: Type.Optional(text("The refusal's code, or why the service did it.")),
    address: Type.Optional(text("Where the request came from.")),
  },
  { title: "AuditEntry" },
);
export type AuditEntry = Static<typeof entry>;

export const auditOperations = {
  listAudit: {
    method: "GET",
    path: "/v1/audit",
    tag: "Audit",
    summary: "List what was done in the account, and by whom",
    description: "The newest first. The next page is asked for with the id of the last entry.",
    needs: { of: "rest", access: "read", area: "account" },
    query: Type.Partial(
      Type.Object({
        startTime: { ...instant, description: "Only entries from then on." },
        endTime: { ...instant, description: "Only entries before." },
        keyId: text("Only what was asked with this key."),
        memberId: text("Only what this member did."),
        operation: text("Only this operation."),
        resourceType: text("Only what is about this kind of thing."),
        resourceId: text("Only what is about this one."),
        outcome: Type.Enum(["done", "refused"]),
        before: Type.String({ pattern: "^\\d{1,15}$", "x-takes": "the id of an entry" }),
        limit: Type.Integer({ minimum: 1, maximum: 1_000, default: 100 }),
      }),
    ),
    answer: { status: 200, description: "The entries.", schema: Type.Array(entry) },
  },
} as const satisfies Operations;
