// The routes of the management API, /v1.

import type { FastifyInstance } from "fastify";
import { addPreconditions, type DepsOf, type PreconditionDeps } from "../management/routes.ts";
import { accountRoutes } from "./account/account.ts";
import { accountsRoutes } from "./account/accounts.ts";
import { auditRoutes } from "./account/audit.ts";
import { exemptionRoutes } from "./account/exemptions.ts";
import { installationRoutes } from "./account/installation.ts";
import { keyRoutes } from "./account/keys.ts";
import { memberRoutes } from "./account/members.ts";
import { projectRoutes } from "./account/projects.ts";
import { quotaRoutes } from "./account/quotas.ts";
import { batchRoutes } from "./batch/batches.ts";
import { billingRoutes } from "./billing/billing.ts";
import { budgetRoutes } from "./billing/budgets.ts";
import { priceBookRoutes } from "./billing/price-book.ts";
import { quoteRoutes } from "./billing/quote.ts";
import { savingsPlanRoutes } from "./billing/savings-plans.ts";
import { statementRoutes } from "./billing/statement.ts";
import { referenceRoutes } from "./docs/reference.ts";
import { endpointCallRoutes } from "./endpoint/endpoint-calls.ts";
import { endpointRoutes } from "./endpoint/endpoints.ts";
import { workerRoutes } from "./endpoint/workers.ts";
import { jobDeliveryRoutes } from "./job/job-deliveries.ts";
import { jobLogRoutes } from "./job/job-logs.ts";
import { jobOperationRoutes } from "./job/job-operations.ts";
import { jobRoutes } from "./job/jobs.ts";
import { catalogRoutes } from "./machine/catalog.ts";
import { machineRoutes } from "./machine/machines.ts";
import { notificationRuleRoutes } from "./notification/notification-rules.ts";
import { notificationRoutes } from "./notification/notifications.ts";
import { eventRoutes } from "./observe/events.ts";
import { whyRoutes } from "./observe/why.ts";
import { podRoutes } from "./pod/pods.ts";
import { reservationFeedRoutes } from "./reservation/reservation-feed.ts";
import { reservationRoutes } from "./reservation/reservations.ts";
import { scheduleRoutes } from "./schedule/schedules.ts";
import { registryAuthRoutes } from "./secret/registry-auths.ts";
import { secretRoutes } from "./secret/secrets.ts";
import { sshKeyRoutes } from "./secret/ssh-keys.ts";
import { deviceLoginRoutes } from "./sign-in/device-logins.ts";
import { passwordRoutes } from "./sign-in/passwords.ts";
import { sessionRoutes } from "./sign-in/sessions.ts";
import { signInWaysRoutes } from "./sign-in/sign-in.ts";
import { networkVolumeRoutes } from "./storage/network-volumes.ts";
import { s3KeyRoutes } from "./storage/s3-keys.ts";
import { templateRoutes } from "./template/templates.ts";
import { clockRoutes } from "./testing/clock.ts";
import { faultRoutes } from "./testing/faults.ts";

const routes = [
  podRoutes,
  templateRoutes,
  endpointRoutes,
  endpointCallRoutes,
  networkVolumeRoutes,
  s3KeyRoutes,
  registryAuthRoutes,
  secretRoutes,
  sshKeyRoutes,
  workerRoutes,
  jobRoutes,
  jobDeliveryRoutes,
  jobLogRoutes,
  jobOperationRoutes,
  batchRoutes,
  scheduleRoutes,
  catalogRoutes,
  machineRoutes,
  keyRoutes,
  sessionRoutes,
  signInWaysRoutes,
  passwordRoutes,
  deviceLoginRoutes,
  eventRoutes,
  accountRoutes,
  accountsRoutes,
  installationRoutes,
  memberRoutes,
  projectRoutes,
  quotaRoutes,
  reservationRoutes,
  reservationFeedRoutes,
  exemptionRoutes,
  auditRoutes,
  billingRoutes,
  budgetRoutes,
  statementRoutes,
  savingsPlanRoutes,
  notificationRuleRoutes,
  notificationRoutes,
  priceBookRoutes,
  quoteRoutes,
  whyRoutes,
  clockRoutes,
  faultRoutes,
  referenceRoutes,
];

export function restRoutes(deps: PreconditionDeps & DepsOf<(typeof routes)[number]>) {
  return async (app: FastifyInstance): Promise<void> => {
    addPreconditions(app, deps);
    for (const add of routes) add(app, deps);
  };
}
