// The console: what is shown is read from the service, and nothing is kept.

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
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

createRoot(document.querySelector("#root")!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <Toasts>
        <RouterProvider router={makeRouter(client)} />
      </Toasts>
    </QueryClientProvider>
  </StrictMode>,
);
