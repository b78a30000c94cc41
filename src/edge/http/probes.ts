// Probes: alive at all, and ready to be sent requests.

import type { FastifyInstance } from "fastify";
import { Fault } from "../../domain/fault.ts";
import { checkStore } from "../../flows/readiness.ts";
import type { Store } from "../../store/store.ts";
import type { Polls } from "./polls.ts";

const open = { config: { needs: "nobody" as const } };

export function probeRoutes(deps: { store: Store; polls: Polls }) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get("/healthz", open, async () => ({ status: "ok" }));
    app.get("/readyz", open, async () => {
      if (deps.polls.stopping) throw new Fault("stopping");
      await checkStore(deps);
      return { status: "ok" };
    });
  };
}
