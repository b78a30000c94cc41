// The routes of the management API, /v1.

import type { FastifyInstance } from "fastify";
import { limitRates } from "../http/auth/rate-limit.ts";
import { addJsonBodyParser } from "../http/body/json-body.ts";
import { accountRoutes } from "./account/account.ts";
import { accountsRoutes } from "./account/accounts.ts";
import { auditChanges, auditRoutes } from "./account/audit.ts";
import { keyRoutes } from "./account/keys.ts";
import { memberRoutes } from "./account/members.ts";
import { sessionRoutes } from "./account/sessions.ts";
import { billingRoutes } from "./billing/billing.ts";
import { budgetRoutes } from "./billing/budgets.ts";
import { priceBookRoutes } from "./billing/price-book.ts";
import { quoteRoutes } from "./billing/quote.ts";
import { savingsPlanRoutes } from "./billing/savings-plans.ts";
import type { RestDeps } from "./deps.ts";
import { referenceRoutes } from "./docs/reference.ts";
import { endpointRoutes } from "./endpoint/endpoints.ts";
import { workerRoutes } from "./endpoint/workers.ts";
import { jobDeliveryRoutes } from "./job/job-deliveries.ts";
import { jobRoutes } from "./job/jobs.ts";
import { catalogRoutes } from "./machine/catalog.ts";
import { machineRoutes } from "./machine/machines.ts";
import { eventRoutes } from "./observe/events.ts";
import { whyRoutes } from "./observe/why.ts";
import { podRoutes } from "./pod/pods.ts";
import { registryAuthRoutes } from "./secret/registry-auths.ts";
import { secretRoutes } from "./secret/secrets.ts";
import { sshKeyRoutes } from "./secret/ssh-keys.ts";
import { networkVolumeRoutes } from "./storage/network-volumes.ts";
import { s3KeyRoutes } from "./storage/s3-keys.ts";
import { templateRoutes } from "./template/templates.ts";

export function restRoutes(deps: RestDeps) {
  return async (app: FastifyInstance): Promise<void> => {
    limitRates(app, deps.rates, () => "rest");
    addJsonBodyParser(app, deps.bodyRooms);
    auditChanges(app, deps);
    podRoutes(app, deps);
    templateRoutes(app, deps);
    endpointRoutes(app, deps);
    networkVolumeRoutes(app, deps);
    s3KeyRoutes(app, deps);
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
