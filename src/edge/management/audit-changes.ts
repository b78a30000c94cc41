// Hooks that audit every change made over a management interface.

import type { FastifyInstance } from "fastify";
import { Fault } from "../../domain/fault.ts";
import { recordRefusal, runAudited } from "../../flows/audit/action.ts";
import { auditActionOf } from "../http/auth/audit-context.ts";
import type { RestDeps } from "./deps.ts";

/** Audits every change, and every refused change. */
export function auditChanges(app: FastifyInstance, deps: RestDeps): void {
  app.addHook("preHandler", (request, _, done) => {
    const action = auditActionOf(request);
    if (action) runAudited(action, done);
    else done();
  });
  app.addHook("onError", async (request, _, error) => {
    const action = auditActionOf(request);
    const cause: unknown = error;
    if (action && cause instanceof Fault) await recordRefusal(deps, action, cause);
  });
}
