// Routes of /v1/exemptions.

import type { FastifyInstance } from "fastify";
import {
  type Exemption,
  exemptionOperations,
} from "../../../contract/rest-v1/account/exemption.ts";
import { creatorOf } from "../../../domain/account.ts";
import { Fault } from "../../../domain/fault.ts";
import type { Exemption as DomainExemption, ExemptKind } from "../../../domain/usage/exemption.ts";
import {
  createExemption,
  deleteExemption,
  readExemptions,
} from "../../../flows/exemption/exemptions.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { exemptionTarget } from "../../management/pod/exemption-view.ts";
import { instant } from "../../management/serve/instant.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import type { Whole } from "../../management/serve/take-fields.ts";

export function exemptionRoutes(app: FastifyInstance, deps: FlowDeps): void {
  serveOperations(app, exemptionOperations, {
    async createExemption({ key, accountId: by, body, once }) {
      const { accountId = by, until, reason, ...targets } = body;
      targets satisfies Whole<typeof targets, typeof kinds>;
      // An account does not learn the names of the operator's members.
      const createdBy = accountId === by ? (creatorOf(key).owner ?? null) : null;
      const times = { until: until === undefined ? null : Date.parse(until) };
      const fields = { ...targetOf(targets), ...times, reason, createdBy, once };
      return exemptionRead(await createExemption(deps, { by, accountId }, fields));
    },
    listExemptions: async ({ accountId: by, query: { accountId = by } }) =>
      (await readExemptions(deps, { by, accountId })).map(exemptionRead),
    async deleteExemption({ accountId: by, params: { exemptionId }, query: { accountId = by } }) {
      await deleteExemption(deps, { by, accountId }, exemptionId);
    },
  });
}

const kinds = {
  podId: "pod",
  memberId: "member",
  projectId: "project",
  label: "label",
} as const satisfies Record<string, ExemptKind>;

/** The one thing that a body names. */
function targetOf(targets: Readonly<Record<string, string>>) {
  const [first, ...others] = Object.entries(targets);
  if (first && others.length === 0)
    return { kind: kinds[first[0] as keyof typeof kinds], target: first[1] };
  const detail = 'Exactly one of "podId", "memberId", "projectId" and "label" must be present.';
  throw new Fault("invalid_body", { detail });
}

function exemptionRead(exemption: DomainExemption): Exemption {
  const { id, until, reason, byOperator, createdBy, createdAt } = exemption;
  return {
    id,
    ...exemptionTarget(exemption),
    ...(until !== null && { until: instant(until) }),
    reason,
    byOperator,
    ...(createdBy && { createdBy }),
    createdAt: instant(createdAt),
  };
}
