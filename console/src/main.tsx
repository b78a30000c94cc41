// The console: what is shown is read from the service, and nothing is kept.

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type AnyRoute, RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { takeKeyFromAddress } from "./pages/sign-in/key-in-address.ts";
import { Toasts } from "./parts/toast.tsx";
import { makeRouter } from "./router.tsx";
import { applyTheme } from "./shell/theme.ts";
import "./styles.css";

applyTheme();
takeKeyFromAddress();

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // The service says when something changed; a fault that may pass is tried again.
      staleTime: 60_000,
      retry: (tries, error) => tries < 3 && mayPass(error),
      retryDelay: (tries) => Math.min(1_000 * 2 ** tries, 8_000),
    },
  },
});

function mayPass(error: unknown): boolean {
  const { status } = error as { status?: number };
  return status === undefined || status === 502 || status === 503;
}

const router = makeRouter(client);
// What is behind the address comes while the service is asked who this is.
const routes: Record<string, AnyRoute> = router.routesById;
for (const { routeId } of router.matchRoutes(router.latestLocation)) {
  const route = routes[routeId];
  if (route) void router.loadRouteChunk(route)?.catch(() => {}); // told of where it is needed
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
