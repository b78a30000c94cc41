// Every address of the console and the page behind it. A page is loaded when somebody goes there. A new
// first part of an address is also named in src/edge/console/page.ts.

import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
} from "@tanstack/react-router";
import { selfOptions } from "./api/self.ts";
import { Broken, NotFound } from "./shell/astray.tsx";
import { Shell } from "./shell/shell.tsx";

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: Broken,
});

interface SignInSearch {
  /** Where to go afterwards. */
  next?: string;
  /** Whether a session has just ended. */
  over?: true;
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: ({ next, over }: { next?: unknown; over?: unknown }): SignInSearch => ({
    ...(typeof next === "string" ? { next } : {}),
    ...(over ? { over: true } : {}),
  }),
  component: lazyRouteComponent(() => import("./pages/sign-in/sign-in.tsx"), "SignIn"),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: "/invitation",
  component: lazyRouteComponent(() => import("./pages/invitation/invitation.tsx"), "Invitation"),
});

/** Everything but the ways in is for who has signed in. */
const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  beforeLoad: async ({ context, location }) => {
    try {
      await context.client.ensureQueryData(selfOptions());
    } catch (error) {
      if ((error as { status?: number }).status !== 401) throw error;
      throw redirect({ to: "/sign-in", search: { next: location.href } });
    }
  },
  component: Shell,
  errorComponent: Broken,
  notFoundComponent: NotFound,
});

const overview = createRoute({
  getParentRoute: () => inside,
  path: "/",
  component: lazyRouteComponent(() => import("./pages/overview/overview.tsx"), "Overview"),
});

/** A place with nothing in its address. */
const leaf = <Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({ getParentRoute: () => inside, path, component });

const pods = leaf(
  "/pods",
  lazyRouteComponent(() => import("./pages/pods/pods.tsx"), "Pods"),
);

const serverless = leaf(
  "/serverless",
  lazyRouteComponent(() => import("./pages/serverless/endpoints.tsx"), "Endpoints"),
);

const newEndpoint = createRoute({
  getParentRoute: () => inside,
  path: "/serverless/new",
  component: lazyRouteComponent(
    () => import("./pages/serverless/form/new-endpoint.tsx"),
    "NewEndpoint",
  ),
});

const editEndpoint = createRoute({
  getParentRoute: () => inside,
  path: "/serverless/$endpointId/edit",
  component: lazyRouteComponent(
    () => import("./pages/serverless/form/edit-endpoint.tsx"),
    "EditEndpoint",
  ),
});

const endpoint = createRoute({
  getParentRoute: () => inside,
  path: "/serverless/$endpointId",
  component: lazyRouteComponent(() => import("./pages/serverless/endpoint.tsx"), "EndpointPage"),
});

const endpointOverview = createRoute({
  getParentRoute: () => endpoint,
  path: "/",
  component: lazyRouteComponent(
    () => import("./pages/serverless/endpoint-overview.tsx"),
    "EndpointOverview",
  ),
});

const endpointRequest = createRoute({
  getParentRoute: () => endpoint,
  path: "/request",
  component: lazyRouteComponent(
    () => import("./pages/serverless/request/request.tsx"),
    "EndpointRequest",
  ),
});

const endpointJobs = createRoute({
  getParentRoute: () => endpoint,
  path: "/jobs",
  component: lazyRouteComponent(() => import("./pages/serverless/jobs.tsx"), "EndpointJobs"),
});

const endpointWorkers = createRoute({
  getParentRoute: () => endpoint,
  path: "/workers",
  component: lazyRouteComponent(() => import("./pages/serverless/workers.tsx"), "EndpointWorkers"),
});

const endpointReleases = createRoute({
  getParentRoute: () => endpoint,
  path: "/releases",
  component: lazyRouteComponent(
    () => import("./pages/serverless/releases.tsx"),
    "EndpointReleases",
  ),
});

const endpointParts = [
  endpointOverview,
  endpointRequest,
  endpointJobs,
  endpointWorkers,
  endpointReleases,
];

const jobs = leaf(
  "/jobs",
  lazyRouteComponent(() => import("./pages/jobs/jobs.tsx"), "Jobs"),
);

const job = createRoute({
  getParentRoute: () => inside,
  path: "/jobs/$jobId",
  component: lazyRouteComponent(() => import("./pages/jobs/job.tsx"), "JobPage"),
});

const worker = createRoute({
  getParentRoute: () => inside,
  path: "/workers/$workerId",
  component: lazyRouteComponent(() => import("./pages/workers/worker.tsx"), "WorkerPage"),
});

const deploy = createRoute({
  getParentRoute: () => inside,
  path: "/pods/deploy",
  component: lazyRouteComponent(() => import("./pages/pods/deploy/deploy.tsx"), "DeployPod"),
});

const pod = createRoute({
  getParentRoute: () => inside,
  path: "/pods/$podId/{-$tab}",
  component: lazyRouteComponent(() => import("./pages/pods/pod/pod.tsx"), "PodPage"),
});

const machines = leaf(
  "/machines",
  lazyRouteComponent(() => import("./pages/machines/machines.tsx"), "Machines"),
);

const volumes = leaf(
  "/storage",
  lazyRouteComponent(() => import("./pages/storage/volumes.tsx"), "Volumes"),
);

const templates = leaf(
  "/templates",
  lazyRouteComponent(() => import("./pages/templates/templates.tsx"), "Templates"),
);

const registries = leaf(
  "/registries",
  lazyRouteComponent(() => import("./pages/registries/registries.tsx"), "Registries"),
);

const secrets = leaf(
  "/secrets",
  lazyRouteComponent(() => import("./pages/secrets/secrets.tsx"), "Secrets"),
);

const sshKeys = leaf(
  "/ssh-keys",
  lazyRouteComponent(() => import("./pages/ssh-keys/ssh-keys.tsx"), "SshKeys"),
);

const billing = leaf(
  "/billing",
  lazyRouteComponent(() => import("./pages/billing/billing.tsx"), "Billing"),
);

const keys = leaf(
  "/keys",
  lazyRouteComponent(() => import("./pages/keys/keys.tsx"), "Keys"),
);

const members = leaf(
  "/members",
  lazyRouteComponent(() => import("./pages/members/members.tsx"), "Members"),
);

const audit = leaf(
  "/audit",
  lazyRouteComponent(() => import("./pages/audit/audit.tsx"), "Audit"),
);

const settings = leaf(
  "/settings",
  lazyRouteComponent(() => import("./pages/settings/settings.tsx"), "Settings"),
);

const accounts = leaf(
  "/accounts",
  lazyRouteComponent(() => import("./pages/accounts/accounts.tsx"), "Accounts"),
);

const prices = leaf(
  "/prices",
  lazyRouteComponent(() => import("./pages/prices/prices.tsx"), "Prices"),
);

const tree = root.addChildren([
  signIn,
  invitation,
  inside.addChildren([
    overview,
    pods,
    deploy,
    pod,
    machines,
    serverless,
    newEndpoint,
    editEndpoint,
    endpoint.addChildren(endpointParts),
    jobs,
    job,
    worker,
    volumes,
    templates,
    registries,
    secrets,
    sshKeys,
    billing,
    keys,
    members,
    audit,
    settings,
    accounts,
    prices,
  ]),
]);

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
