// A component whose code loads when it is first shown. While the service does not answer, the load waits: after a failed one
// the window reloads, and the browser would show its own error page in place of the console.

import { lazyRouteComponent } from "@tanstack/react-router";
import { isReachable } from "./api/retrying-fetch.ts";

const RETRY_MS = 1_000;

export const lazyComponent: typeof lazyRouteComponent = (importer, name) =>
  lazyRouteComponent(() => retryWhileUnreachable(importer), name);

async function retryWhileUnreachable<Module>(importer: () => Promise<Module>): Promise<Module> {
  for (;;) {
    try {
      return await importer();
    } catch (error) {
      if (await isReachable()) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
