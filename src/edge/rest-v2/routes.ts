// The routes of REST v2, the newer management API. They call the flows that REST v1 and GraphQL call.

import type { FastifyInstance } from "fastify";
import { addPreconditions, type DepsOf, type PreconditionDeps } from "../management/routes.ts";
import { registryRoutes } from "./account/registries.ts";
import { secretRoutes } from "./account/secrets.ts";
import { sshKeyRoutes } from "./account/ssh-keys.ts";
import { billingRoutes } from "./billing/billing.ts";
import { catalogRoutes } from "./catalog/catalog.ts";
import { clusterRoutes } from "./cluster/clusters.ts";
import { referenceRoutes } from "./docs/reference.ts";
import { endpointRoutes } from "./endpoint/endpoints.ts";
import { podRoutes } from "./pod/pods.ts";
import { sandboxRoutes } from "./sandbox/sandboxes.ts";
import { networkVolumeRoutes } from "./storage/network-volumes.ts";
import { templateRoutes } from "./template/templates.ts";

const routes = [
  podRoutes,
  clusterRoutes,
  sandboxRoutes,
  endpointRoutes,
  templateRoutes,
  networkVolumeRoutes,
  registryRoutes,
  secretRoutes,
  sshKeyRoutes,
  catalogRoutes,
  billingRoutes,
  referenceRoutes,
];

export function restV2Routes(deps: PreconditionDeps & DepsOf<(typeof routes)[number]>) {
  return async (app: FastifyInstance): Promise<void> => {
    addPreconditions(app, deps);
    app.addHook("onSend", (request, reply, _payload, done) => {
      reply.header("x-request-id", request.id);
      done();
    });
    for (const add of routes) add(app, deps);
  };
}
