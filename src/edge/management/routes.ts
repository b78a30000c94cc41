// What the management interfaces that are REST have in common: how they add their routes.

import type { FastifyInstance } from "fastify";
import { Fault } from "../../domain/fault.ts";
import { recordRefusal, runAudited } from "../../flows/audit/action.ts";
import type { FlowDeps } from "../../flows/flow-deps.ts";
import type { RateLimits } from "../../flows/rate-limits.ts";
import { auditActionOf } from "../http/auth/audit-context.ts";
import { addJsonBodyParser } from "../http/body/json-body.ts";
import type { BodyRooms } from "../http/body/receive.ts";
import { limitRates } from "../http/routes/rate-limit.ts";

/** The dependencies of functions that add routes: all that any of them declares. */
export type DepsOf<AddRoutes> = [AddRoutes] extends [
  (app: FastifyInstance, deps: infer Deps) => void,
]
  ? Deps
  : never;

export interface PreconditionDeps extends FlowDeps {
  rates: RateLimits;
  bodyRooms: BodyRooms;
}

/** What a request passes before its handler. */
export function addPreconditions(app: FastifyInstance, deps: PreconditionDeps): void {
  limitRates(app, deps.rates, () => "rest");
  addJsonBodyParser(app, deps.bodyRooms);
  auditChanges(app, deps);
}

/** Audits every change, and every refused change. */
function auditChanges(app: FastifyInstance, deps: FlowDeps): void {
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
