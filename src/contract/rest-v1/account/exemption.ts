// Exemptions: Pods that are not stopped for being idle or at their maximum lifetime.

import Type, { type Static } from "typebox";
import { createdBy, instant, TAKES } from "../../fields.ts";
import type { Operations } from "../../operation.ts";

const label = Type.String({
  pattern: "^[^=\\u0000]{1,63}=[^\\u0000]{0,255}$",
  [TAKES]: "a label such as team=search",
  description: "All Pods with this label.",
});
const id = (description: string) => Type.String({ minLength: 1, description });
const reason = Type.String({ minLength: 1, maxLength: 191, description: "Why, for others." });
const accountId = Type.String({
  description:
    "The account. Only the operator can name another than its own, which is the default.",
});

const exemptionCreate = Type.Object(
  {
    podId: Type.Optional(id("This Pod.")),
    memberId: Type.Optional(id("All Pods that belong to this member.")),
    projectId: Type.Optional(id("All Pods of the members of this project.")),
    label: Type.Optional(label),
    until: Type.Optional(
      Type.String({ ...instant, description: "When it ends, in UTC. Default: never." }),
    ),
    reason,
    accountId: Type.Optional(accountId),
  },
  { title: "ExemptionCreate", additionalProperties: false },
);

const exemption = Type.Object(
  {
    id: Type.String(),
    podId: Type.Optional(Type.String()),
    memberId: Type.Optional(Type.String()),
    projectId: Type.Optional(Type.String()),
    label: Type.Optional(Type.String()),
    until: Type.Optional(instant),
    reason,
    byOperator: Type.Boolean({
      description:
        "Whether the operator's account made it. Then the operator's maximum lifetime does not hold either.",
    }),
    createdBy: Type.Optional(createdBy),
    createdAt: instant,
  },
  { title: "Exemption" },
);
export type Exemption = Static<typeof exemption>;

const tag = "Exemptions";
const write = { of: "rest", access: "write", area: "account" } as const;
const query = Type.Object({ accountId: Type.Optional(accountId) });

export const exemptionOperations = {
  createExemption: {
    method: "POST",
    path: "/v1/exemptions",
    tag,
    summary: "Exempt Pods from stops",
    description:
      "Name one of a Pod, a member, a project or a label. Its Pods are not stopped for being idle, and no maximum lifetime " +
      "ends them, except the operator's for the account, from which only the operator exempts.",
    needs: write,
    body: exemptionCreate,
    once: true,
    answer: { status: 201, description: "The exemption.", schema: exemption },
  },
  listExemptions: {
    method: "GET",
    path: "/v1/exemptions",
    tag,
    summary: "List exemptions from stops",
    description: "Those that have not ended, the oldest first.",
    needs: { of: "rest", access: "read", area: "own" },
    query,
    answer: { status: 200, description: "The exemptions.", schema: Type.Array(exemption) },
  },
  deleteExemption: {
    method: "DELETE",
    path: "/v1/exemptions/{exemptionId}",
    tag,
    summary: "End an exemption from stops",
    description:
      "The time for which a Pod must be idle begins again. A Pod that is past its maximum lifetime stops after a warning of five minutes.",
    needs: write,
    query,
    answer: { status: 204, description: "The exemption ended." },
  },
} as const satisfies Operations;
