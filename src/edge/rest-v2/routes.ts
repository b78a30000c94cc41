// The routes of REST v2, the newer management API. They call the flows that REST v1 and GraphQL call.

import type { FastifyInstance } from "fastify";
import { addJsonBodyParser } from "../http/body/json-body.ts";
import { limitRates } from "../http/routes/rate-limit.ts";
import { auditChanges } from "../management/audit-changes.ts";
import type { RestDeps } from "../management/deps.ts";
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

export function restV2Routes(deps: RestDeps) {
  return async (app: FastifyInstance): Promise<void> => {
    limitRates(app, deps.rates, () => "rest");
    addJsonBodyParser(app, deps.bodyRooms);
    auditChanges(app, deps);
    app.addHook("onSend", (request, reply, _payload, done) => {
      reply.header("x-request-id", request.id);
      done();
    });
    podRoutes(app, deps);
    clusterRoutes(app, deps);
    sandboxRoutes(app, deps);
    endpointRoutes(app, deps);
    templateRoutes(app, deps);
    networkVolumeRoutes(app, deps);
    registryRoutes(app, deps);
    secretRoutes(app, deps);
    sshKeyRoutes(app, deps);
    catalogRoutes(app, deps);
    billingRoutes(app, deps);
    referenceRoutes(app);
  };
}
