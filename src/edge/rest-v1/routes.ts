// The management interface: /v1.

import type { FastifyInstance } from "fastify";
import { limitRates } from "../http/rate-limit.ts";
import { accountRoutes } from "./account.ts";
import { accountsRoutes } from "./accounts.ts";
import { auditRoutes, tellChanges } from "./audit.ts";
import { billingRoutes } from "./billing.ts";
import { budgetRoutes } from "./budgets.ts";
import { catalogRoutes } from "./catalog.ts";
import type { RestDeps } from "./deps.ts";
import { endpointRoutes } from "./endpoints.ts";
import { eventRoutes } from "./events.ts";
import { jobDeliveryRoutes } from "./job-deliveries.ts";
import { jobRoutes } from "./jobs.ts";
import { takeJsonBodies } from "./json-body.ts";
import { keyRoutes } from "./keys.ts";
import { machineRoutes } from "./machines.ts";
import { memberRoutes } from "./members.ts";
import { networkVolumeRoutes } from "./network-volumes.ts";
import { podRoutes } from "./pods.ts";
import { priceBookRoutes } from "./price-book.ts";
import { quoteRoutes } from "./quote.ts";
import { referenceRoutes } from "./reference.ts";
import { registryAuthRoutes } from "./registry-auths.ts";
import { savingsPlanRoutes } from "./savings-plans.ts";
import { secretRoutes } from "./secrets.ts";
import { sessionRoutes } from "./sessions.ts";
import { sshKeyRoutes } from "./ssh-keys.ts";
import { templateRoutes } from "./templates.ts";
import { whyRoutes } from "./why.ts";
import { workerRoutes } from "./workers.ts";

export function restRoutes(deps: RestDeps) {
  return async (app: FastifyInstance): Promise<void> => {
    limitRates(app, deps.rates, () => "rest");
    takeJsonBodies(app);
    tellChanges(app, deps);
    podRoutes(app, deps);
    templateRoutes(app, deps);
    endpointRoutes(app, deps);
    networkVolumeRoutes(app, deps);
    registryAuthRoutes(app, deps);
    secretRoutes(app, deps);
    sshKeyRoutes(app, deps);
    workerRoutes(app, deps);
    jobRoutes(app, deps);
    jobDeliveryRoutes(app, deps);
    catalogRoutes(app, deps);
    machineRoutes(app, deps);
    keyRoutes(app, deps);
    sessionRoutes(app, deps);
    eventRoutes(app, deps);
    accountRoutes(app, deps);
    accountsRoutes(app, deps);
    memberRoutes(app, deps);
    auditRoutes(app, deps);
    billingRoutes(app, deps);
    budgetRoutes(app, deps);
    savingsPlanRoutes(app, deps);
    priceBookRoutes(app, deps);
    quoteRoutes(app, deps);
    whyRoutes(app, deps);
    referenceRoutes(app);
  };
}
