// The routes of every interface, registered on the server with the dependencies that each declares.

import type { FastifyInstance } from "fastify";
import type { Driver } from "../../drivers/driver.ts";
import { logoutRoute } from "../../edge/console/logout-route.ts";
import { SIGN_IN_PATH, signInRoutes } from "../../edge/console/sign-in-routes.ts";
import { docsRoutes } from "../../edge/docs/routes.ts";
import { flashArchiveRoutes } from "../../edge/flash/archive-routes.ts";
import { graphqlRoutes } from "../../edge/graphql/routes.ts";
import { Revalidation } from "../../edge/http/auth/revalidate.ts";
import { metricsRoutes } from "../../edge/http/metrics.ts";
import { probeRoutes } from "../../edge/http/probes.ts";
import type { PlainRoutes } from "../../edge/http/routes/plain-routes.ts";
import { rootRoute } from "../../edge/http/tls/root-route.ts";
import type { EdgeDeps } from "../../edge/management/job/deps.ts";
import { queueRoutes } from "../../edge/queue/routes.ts";
import { replicaRoutes } from "../../edge/replica/routes.ts";
import { restRoutes } from "../../edge/rest-v1/routes.ts";
import { restV2Routes } from "../../edge/rest-v2/routes.ts";
import { ownS3Routes } from "../../edge/s3/own-routes.ts";
import type { ServeDeps } from "../../edge/s3/serve.ts";
import { strikeRequests } from "../../edge/trouble/strike-requests.ts";
import { workerRoutes } from "../../edge/worker/routes.ts";
import { AuditedStore } from "../../flows/audit/action.ts";
import { Changes } from "../../flows/change/changes.ts";
import type { ScrapeDeps } from "../../flows/metrics/scrape.ts";
import { installationFacts } from "../../installation/backup/installation-facts.ts";
import { showTime } from "../clock/show-time.ts";
import type { Parts } from "../service-parts.ts";
import { killTakers } from "../trouble/kill-takers.ts";
import { openPasswords } from "./passwords.ts";

/** Derived here: from the configuration, or from the other dependencies. */
type Derived =
  | "ownership"
  | "changes"
  | "revalidation"
  | "portLimits"
  | "reservationLimits"
  | "officialTemplates"
  | "introspection"
  | "publicUrl"
  | "sendsMail"
  | "signInProvider"
  | "passwords"
  | "processesUnasked"
  | "virtualTime"
  | "installation";

/** What the management interfaces declare that they need. */
type ManagementDeps = Parameters<typeof restRoutes>[0] &
  Parameters<typeof restV2Routes>[0] &
  Parameters<typeof graphqlRoutes>[0] &
  Parameters<typeof flashArchiveRoutes>[0];

interface RouteDeps
  extends EdgeDeps,
    Omit<ScrapeDeps, "metricsLabels">,
    Omit<ManagementDeps, Derived | keyof EdgeDeps> {
  /** What the S3 interface serves with. */
  s3: ServeDeps;
  /** The drivers of this machine. */
  drivers: Driver[];
  /** What the start does; null once the service has entered its machine and its loops run. */
  starting(): string | null;
}

export async function registerRoutes(
  { app, plainRoutes }: { app: FastifyInstance; plainRoutes: PlainRoutes },
  { config, localTrust, virtualTime, log, provider, localRoot }: Parts,
  deps: RouteDeps,
): Promise<void> {
  const { store, clock, troubles } = deps;
  showTime(app, virtualTime);
  app.decorate("vault", deps.vault);
  if (troubles) {
    strikeRequests(app, troubles);
    killTakers(app, troubles, deps.drivers);
  }
  await app.register(replicaRoutes(deps));
  await app.register(probeRoutes(deps));
  await app.register(metricsRoutes({ ...deps, localTrust, metricsLabels: config.metricsLabels }));
  await app.register(queueRoutes(deps, plainRoutes));
  await app.register(workerRoutes(deps, plainRoutes));
  const managed = {
    ...deps,
    ownership: deps.authCache.ownership,
    store: new AuditedStore(store, clock, deps.storageQuota),
    changes: new Changes(deps),
    revalidation: new Revalidation(deps),
    virtualTime,
    installation: () => installationFacts(config),
    publicUrl: config.publicUrl,
    sendsMail: config.mail !== null,
    signInProvider: config.oidc && {
      name: config.oidc.name,
      url: `${config.publicUrl ?? ""}${SIGN_IN_PATH}`,
    },
    passwords: openPasswords({ config, log, ...deps }),
    portLimits: config.portLimits,
    reservationLimits: config.reservationLimits,
    officialTemplates: config.officialTemplates,
    introspection: config.introspection,
    processesUnasked: config.drivers.includes("process") && !config.driversChosen,
  };
  await app.register(restRoutes(managed));
  await app.register(restV2Routes(managed));
  await app.register(graphqlRoutes(managed));
  await app.register(flashArchiveRoutes(managed));
  await app.register(docsRoutes);
  await app.register(rootRoute(localRoot));
  await app.register(signInRoutes({ ...deps, provider, log, publicUrl: config.publicUrl }));
  await app.register(logoutRoute({ ...deps, provider, log }));
  const { rates, authCache } = deps;
  await app.register(ownS3Routes({ ...deps.s3, rates, authCache, publicUrl: config.publicUrl }));
}
