// /v1/audit, and what tells of every change of this interface.

import type { FastifyInstance } from "fastify";
import { type AuditEntry, auditOperations } from "../../contract/rest-v1/audit.ts";
import { Fault } from "../../domain/fault.ts";
import { doing, tellRefused } from "../../flows/audit/act.ts";
import { type AuditView, auditOf } from "../../flows/audit/read.ts";
import { changeAsked } from "../http/acting.ts";
import type { RestDeps } from "./deps.ts";
import { instant } from "./instant.ts";
import { serve } from "./serve.ts";

export function auditRoutes(app: FastifyInstance, deps: RestDeps): void {
  serve(app, auditOperations, {
    async listAudit({ accountId, query }) {
      const { startTime, endTime, before, limit = 100, ...rest } = query;
      const { keyId = null, memberId = null, operation = null, outcome = null } = rest;
      const { resourceType = null, resourceId = null } = rest;
      const found = await auditOf(deps, {
        accountId,
        since: at(startTime),
        until: at(endTime),
        keyId,
        memberId,
        operation,
        resourceType,
        resourceId,
        outcome,
        before: before === undefined ? null : Number(before),
        limit,
      });
      return found.map(read);
    },
  });
}

/** Every change of this interface is an act; who is refused one, also for his role, is told of too. */
export function tellChanges(app: FastifyInstance, deps: RestDeps): void {
  app.addHook("preHandler", (request, _, done) => {
    const asked = changeAsked(request);
    if (asked) doing(asked, done);
    else done();
  });
  app.addHook("onError", async (request, _, error) => {
    const asked = changeAsked(request);
    const cause: unknown = error;
    if (asked && cause instanceof Fault) await tellRefused(deps, asked, cause);
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
