// Probes: alive at all, and ready to be sent requests.

import type { FastifyInstance } from "fastify";
import { Fault } from "../../domain/fault.ts";
import { checkStore } from "../../flows/readiness.ts";
import type { Store } from "../../store/store.ts";
import type { Polls } from "./polls.ts";

const open = { config: { needs: "nobody" as const } };

interface Deps {
  store: Store;
  polls: Polls;
  /** True once its machine is known and its own work goes on: before that nothing has a place. */
  begun(): boolean;
}

export function probeRoutes(deps: Deps) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get("/healthz", open, async () => ({ status: "ok" }));
    app.get("/readyz", open, async () => {
      if (deps.polls.stopping) throw new Fault("stopping");
      if (!deps.begun()) throw new Fault("starting");
      await checkStore(deps);
      return { status: "ok" };
    });
  };
}
