// Routes of /v1/audit.

import type { FastifyInstance } from "fastify";
import { type AuditEntry, auditOperations } from "../../../contract/rest-v1/account/audit.ts";
import { type AuditView, auditOf } from "../../../flows/audit/read.ts";
import type { FlowDeps } from "../../../flows/flow-deps.ts";
import { instant } from "../../management/serve/instant.ts";
import { serveOperations } from "../../management/serve/serve.ts";

export function auditRoutes(app: FastifyInstance, deps: FlowDeps): void {
  serveOperations(app, auditOperations, {
    async listAudit({ accountId, query }) {
      const { startTime, endTime, before, limit = 100, ...rest } = query;
      const { keyId = null, memberId = null, actor = null } = rest;
      const { operation = null, outcome = null } = rest;
      const { resourceType = null, resourceId = null } = rest;
      const entries = await auditOf(deps, {
        accountId,
        since: at(startTime),
        until: at(endTime),
        keyId,
        memberId,
        actor,
        operation,
        resourceType,
        resourceId,
        outcome,
        before: before === undefined ? null : Number(before),
        limit,
      });
      return entries.map(read);
    },
  });
}

const at = (text: string | undefined) => (text === undefined ? null : Date.parse(text));

function read(view: AuditView): AuditEntry {
  const { actor, member, keyName, resourceId, detail, address } = view;
  return {
    id: String(view.seq),
    at: instant(view.at),
    actor: member ? "member" : actor.kind,
    ...(actor.kind === "key" && { keyId: actor.keyId }),
    ...(keyName !== null && { keyName }),
    ...(member && { memberId: member.id, memberEmail: member.email }),
    ...(actor.kind === "pod" && { podId: actor.podId }),
    via: view.via,
    operation: view.operation,
    resourceType: view.resourceType,
    ...(resourceId && { resourceId }),
    outcome: view.outcome,
    ...(detail && { detail }),
    ...(address && { address }),
  };
}
