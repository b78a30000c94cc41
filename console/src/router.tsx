// The page behind each address. A page's code is loaded on its first visit.

import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  type RouteComponent,
  redirect,
} from "@tanstack/react-router";
import { Suspense } from "react";
import { sessionOptions } from "./api/session.ts";
import { useSessionExpired } from "./api/session-expiry.ts";
import { lazyComponent as lazy } from "./lazy-component.ts";
import { parseAuditSearch } from "./pages/audit/audit-search.ts";
import { parseJobSearch } from "./pages/jobs/job-search.ts";
import { parseSignInSearch } from "./pages/sign-in/sign-in-search.ts";
import { movedPaths, type PathName, paths } from "./paths.ts";
import { ErrorPage, NotFoundPage } from "./shell/error-pages.tsx";
import { PendingShell } from "./shell/pending-shell.tsx";
import { Shell } from "./shell/shell.tsx";

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: paths.signIn,
  validateSearch: parseSignInSearch,
  component: lazy(() => import("./pages/sign-in/sign-in.tsx"), "SignIn"),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: paths.invitation,
  component: lazy(() => import("./pages/invitation/invitation.tsx"), "Invitation"),
});

const passwordReset = createRoute({
  getParentRoute: () => root,
  path: paths.passwordReset,
  component: lazy(() => import("./pages/password-reset/password-reset.tsx"), "PasswordReset"),
});

/** The pages that need no session. */
const openPages = { signIn, invitation, passwordReset };

const ExpiredSession = lazy(() => import("./pages/sign-in/expired-session.tsx"), "ExpiredSession");

const Inside = () => (
  <>
    <Shell />
    <Suspense>{useSessionExpired() && <ExpiredSession />}</Suspense>
  </>
);

/** All pages that need a session. */
const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  beforeLoad: async ({ context, location }) => {
    try {
      await context.client.ensureQueryData(sessionOptions());
    } catch (error) {
      if ((error as { status?: number }).status !== 401) throw error;
      throw redirect({ to: paths.signIn, search: { next: location.href } });
    }
  },
  component: Inside,
  // The frame is there before the first answer.
  pendingComponent: PendingShell,
  pendingMs: 0,
  errorComponent: ErrorPage,
  notFoundComponent: NotFoundPage,
});

/** Loads the module of a page's component, which is one of its exports. */
type Load<Name extends string> = () => Promise<Record<NoInfer<Name>, RouteComponent>>;

const page = <Path extends string, Name extends string>(path: Path, load: Load<Name>, name: Name) =>
  createRoute({ getParentRoute: () => inside, path, component: lazy(load, name) });

/** The form begins with the template that the address names. */
const parseTemplate = ({ template }: { template?: unknown }): { template?: string } =>
  template === undefined ? {} : { template: `${template}` };

const endpoint = page(
  paths.endpoint,
  () => import("./pages/serverless/endpoint.tsx"),
  "EndpointPage",
);

/** A page below the header and tabs of an endpoint. */
const endpointPage = <Path extends string, Name extends string>(
  path: Path,
  load: Load<Name>,
  name: Name,
) => createRoute({ getParentRoute: () => endpoint, path, component: lazy(load, name) });

const pages = {
  overview: page(paths.overview, () => import("./pages/overview/overview.tsx"), "Overview"),
  pods: page(paths.pods, () => import("./pages/pods/pods.tsx"), "Pods"),
  deployPod: createRoute({
    getParentRoute: () => inside,
    path: paths.deployPod,
    validateSearch: parseTemplate,
    component: lazy(() => import("./pages/pods/deploy/deploy.tsx"), "DeployPod"),
  }),
  pod: page(paths.pod, () => import("./pages/pods/pod/pod.tsx"), "PodPage"),
  clusters: page(paths.clusters, () => import("./pages/clusters/clusters.tsx"), "Clusters"),
  cluster: page(paths.cluster, () => import("./pages/clusters/cluster.tsx"), "ClusterPage"),
  sandboxes: page(paths.sandboxes, () => import("./pages/sandboxes/sandboxes.tsx"), "Sandboxes"),
  sandbox: page(paths.sandbox, () => import("./pages/sandboxes/sandbox.tsx"), "SandboxPage"),
  endpoints: page(paths.endpoints, () => import("./pages/serverless/endpoints.tsx"), "Endpoints"),
  newEndpoint: createRoute({
    getParentRoute: () => inside,
    path: paths.newEndpoint,
    validateSearch: parseTemplate,
    component: lazy(() => import("./pages/serverless/form/new-endpoint.tsx"), "NewEndpoint"),
  }),
  editEndpoint: page(
    paths.editEndpoint,
    () => import("./pages/serverless/form/edit-endpoint.tsx"),
    "EditEndpoint",
  ),
  flashApps: page(paths.flashApps, () => import("./pages/flash-apps/flash-apps.tsx"), "FlashApps"),
  flashApp: page(paths.flashApp, () => import("./pages/flash-apps/flash-app.tsx"), "FlashAppPage"),
  batches: page(paths.batches, () => import("./pages/batches/batches.tsx"), "Batches"),
  batch: createRoute({
    getParentRoute: () => inside,
    path: paths.batch,
    validateSearch: parseJobSearch,
    component: lazy(() => import("./pages/batches/batch.tsx"), "BatchPage"),
  }),
  schedules: page(paths.schedules, () => import("./pages/schedules/schedules.tsx"), "Schedules"),
  schedule: page(paths.schedule, () => import("./pages/schedules/schedule.tsx"), "SchedulePage"),
  jobs: createRoute({
    getParentRoute: () => inside,
    path: paths.jobs,
    validateSearch: parseJobSearch,
    component: lazy(() => import("./pages/jobs/jobs.tsx"), "Jobs"),
  }),
  job: page(paths.job, () => import("./pages/jobs/job.tsx"), "JobPage"),
  worker: page(paths.worker, () => import("./pages/workers/worker.tsx"), "WorkerPage"),
  storage: page(paths.storage, () => import("./pages/storage/volumes.tsx"), "Volumes"),
  volumeFiles: page(
    paths.volumeFiles,
    () => import("./pages/storage/files/volume-files.tsx"),
    "VolumeFiles",
  ),
  templates: page(paths.templates, () => import("./pages/templates/templates.tsx"), "Templates"),
  secrets: page(paths.secrets, () => import("./pages/secrets/secrets.tsx"), "Secrets"),
  registries: page(
    paths.registries,
    () => import("./pages/registries/registries.tsx"),
    "Registries",
  ),
  sshKeys: page(paths.sshKeys, () => import("./pages/ssh-keys/ssh-keys.tsx"), "SshKeys"),
  billing: page(paths.billing, () => import("./pages/billing/billing.tsx"), "Billing"),
  breakdown: page(paths.breakdown, () => import("./pages/billing/breakdown.tsx"), "Breakdown"),
  notifications: page(
    paths.notifications,
    () => import("./pages/notifications/notifications.tsx"),
    "Notifications",
  ),
  keys: page(paths.keys, () => import("./pages/keys/keys.tsx"), "Keys"),
  s3Keys: page(paths.s3Keys, () => import("./pages/s3-keys/s3-keys.tsx"), "S3Keys"),
  deviceLogin: createRoute({
    getParentRoute: () => inside,
    path: paths.deviceLogin,
    validateSearch: ({ request }: { request?: unknown }): { request?: string } =>
      typeof request === "string" ? { request } : {},
    component: lazy(() => import("./pages/device-login/device-login.tsx"), "DeviceLogin"),
  }),
  members: page(paths.members, () => import("./pages/members/members.tsx"), "Members"),
  projects: page(paths.projects, () => import("./pages/projects/projects.tsx"), "Projects"),
  quotas: page(paths.quotas, () => import("./pages/quotas/quotas.tsx"), "Quotas"),
  reservations: page(
    paths.reservations,
    () => import("./pages/reservations/reservations.tsx"),
    "Reservations",
  ),
  audit: createRoute({
    getParentRoute: () => inside,
    path: paths.audit,
    validateSearch: parseAuditSearch,
    component: lazy(() => import("./pages/audit/audit.tsx"), "Audit"),
  }),
  settings: page(paths.settings, () => import("./pages/settings/settings.tsx"), "Settings"),
  machines: page(paths.machines, () => import("./pages/machines/machines.tsx"), "Machines"),
  machine: page(paths.machine, () => import("./pages/machines/machine.tsx"), "MachinePage"),
  prices: page(paths.prices, () => import("./pages/prices/prices.tsx"), "Prices"),
  accounts: page(paths.accounts, () => import("./pages/accounts/accounts.tsx"), "Accounts"),
};

const endpointPages = {
  endpoint: endpointPage(
    "/",
    () => import("./pages/serverless/endpoint-overview.tsx"),
    "EndpointOverview",
  ),
  endpointRequest: createRoute({
    getParentRoute: () => endpoint,
    path: "/request",
    validateSearch: ({ job }: { job?: unknown }): { job?: string } =>
      typeof job === "string" ? { job } : {},
    component: lazy(() => import("./pages/serverless/request/request.tsx"), "EndpointRequest"),
  }),
  endpointJobs: createRoute({
    getParentRoute: () => endpoint,
    path: "/jobs",
    validateSearch: parseJobSearch,
    component: lazy(() => import("./pages/serverless/jobs.tsx"), "EndpointJobs"),
  }),
  endpointBatches: endpointPage(
    "/batches",
    () => import("./pages/batches/batches.tsx"),
    "EndpointBatches",
  ),
  endpointWorkers: endpointPage(
    "/workers",
    () => import("./pages/serverless/workers.tsx"),
    "EndpointWorkers",
  ),
  endpointSchedules: endpointPage(
    "/schedules",
    () => import("./pages/schedules/schedules.tsx"),
    "EndpointSchedules",
  ),
  endpointReleases: endpointPage(
    "/releases",
    () => import("./pages/serverless/releases.tsx"),
    "EndpointReleases",
  ),
};

const movedPage = <Path extends keyof typeof movedPaths>(path: Path) =>
  createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: () => {
      throw redirect({ to: movedPaths[path], replace: true });
    },
  });

// A path without a page does not compile.
({ ...openPages, ...pages, ...endpointPages }) satisfies Record<PathName, unknown>;

const tree = root.addChildren({
  ...openPages,
  movedSshKeys: movedPage("/ssh-keys"),
  movedS3Keys: movedPage("/s3-keys"),
  inside: inside.addChildren({ ...pages, endpoint: endpoint.addChildren(endpointPages) }),
});

export function makeRouter(client: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { client },
    defaultPreload: "intent",
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
