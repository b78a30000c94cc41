// The management interface: /v1.

import type { FastifyInstance } from "fastify";
import type { RestDeps } from "./deps.ts";
import { endpointRoutes } from "./endpoints.ts";
import { takeJsonBodies } from "./json-body.ts";
import { templateRoutes } from "./templates.ts";

export function restRoutes(deps: RestDeps) {
  return async (app: FastifyInstance): Promise<void> => {
    takeJsonBodies(app);
    templateRoutes(app, deps);
    endpointRoutes(app, deps);
  };
}
