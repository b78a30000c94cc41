// The liveness probe /healthz and the readiness probe /readyz.

import type { FastifyInstance } from "fastify";
import { Fault } from "../../domain/fault.ts";
import type { FlowDeps } from "../../flows/flow-deps.ts";
import { checkStore } from "../../flows/readiness.ts";
import type { Polls } from "./held-requests.ts";
import { OPEN_GET } from "./request/open-get.ts";

/** Uptime checks and `wget --spider` ask with HEAD. */

/** Probes give up after a few seconds; the answer must come before. */
const MAX_WAIT_MS = 1_500;

/** Workers still post results to this replica, so a load balancer has to keep it. */
const DISK_FULL = "full: new jobs are refused until there is room";

interface ProbeDeps extends Pick<FlowDeps, "store" | "clock"> {
  polls: Polls;
  /** What the start does; null once the machine is registered and the loops run. Before that nothing can be placed. */
  starting(): string | null;
}

export function probeRoutes(deps: ProbeDeps) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get("/healthz", OPEN_GET, async () => ({ status: "ok" }));
    app.get("/readyz", OPEN_GET, async () => {
      if (deps.polls.stopping) throw new Fault("stopping");
      const step = deps.starting();
      if (step !== null) throw new Fault("starting", { step });
      await checkStore(deps, MAX_WAIT_MS);
      return deps.store.isFull ? { status: "ok", disk: DISK_FULL } : { status: "ok" };
    });
  };
}
