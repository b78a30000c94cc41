// The entry point of the console.

import { QueryClient, QueryClientProvider, replaceEqualDeep } from "@tanstack/react-query";
import { type AnyRoute, RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { applyTheme } from "./apply-theme.ts";
import { hasExactNumber } from "./exact-json.ts";
import { takeKeyFromUrl } from "./pages/sign-in/url-key.ts";
import { makeRouter } from "./router.tsx";
import { Toasts } from "./toast.tsx";
import "./styles.css";

applyTheme();
takeKeyFromUrl();

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // Change events make queries stale; transient errors are retried.
      staleTime: 60_000,
      // The library copies an exact number to an ordinary object.
      structuralSharing: (before, after) =>
        hasExactNumber(before) || hasExactNumber(after) ? after : replaceEqualDeep(before, after),
      retry: (tries, error) => tries < 3 && isTransient(error),
      retryDelay: (tries) => Math.min(1_000 * 2 ** tries, 8_000),
    },
  },
});

function isTransient(error: unknown): boolean {
  const { status } = error as { status?: number };
  return status === undefined || status === 502 || status === 503;
}

const router = makeRouter(client);
// The page's code loads while the session is being read.
const routes: Record<string, AnyRoute> = router.routesById;
for (const { routeId } of router.matchRoutes(router.latestLocation)) {
  const route = routes[routeId];
  if (route) void router.loadRouteChunk(route)?.catch(() => {}); // the router reports the error
}

createRoot(document.querySelector("#root")!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <Toasts>
        <RouterProvider router={router} />
      </Toasts>
    </QueryClientProvider>
  </StrictMode>,
);
