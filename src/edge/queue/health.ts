// GET /health: how many jobs and workers an endpoint has, as whole numbers.

import { endpointHealth } from "../../flows/endpoint/health.ts";
import type { RouteScope } from "../http/routes/route-scope.ts";
import type { EdgeDeps } from "../management/job/deps.ts";
import { anyEndpointOf, read } from "./route.ts";

export function addHealth(scope: RouteScope, deps: EdgeDeps): void {
  scope.get("/v2/:endpointId/health", read, async (request) => {
    const endpoint = await anyEndpointOf(deps, request);
    return endpointHealth(deps, endpoint);
  });

  scope.get("/v2/:endpointId/metrics", read, async (request) => {
    const endpoint = await anyEndpointOf(deps, request);
    const { workers, readyWorkers } = await endpointHealth(deps, endpoint, true);
    return { readyWorkers, workers };
  });
}
