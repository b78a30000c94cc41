// Every address of the console and the page behind it. A page is loaded when somebody goes there. A new
// first part of an address is also named in src/edge/console/page.ts.

import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
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

/** Everything but the sign-in is for who has signed in. */
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

const pods = createRoute({
  getParentRoute: () => inside,
  path: "/pods",
  component: lazyRouteComponent(() => import("./pages/pods/pods.tsx"), "Pods"),
});

const tree = root.addChildren([signIn, inside.addChildren([overview, pods])]);

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
