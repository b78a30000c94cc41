// What each endpoint has to do now, the busiest first.

import { useQueries } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { useMayLook } from "../../api/self.ts";

export interface Load {
  id: string;
  name: string;
  queued: number;
  running: number;
  /** Workers. */
  ready: number;
  unhealthy: number;
}

/** More endpoints than these are not looked at one by one. */
const MOST = 50;

export function useLoads(): { loads: Load[]; more: number } {
  const enabled = useMayLook("resources");
  const { data: all = [] } = api.useQuery(
    "get",
    "/v1/endpoints",
    { params: { query: { includeWorkers: true } } },
    { enabled },
  );
  const endpoints = all.slice(0, MOST);
  const answers = useQueries({
    queries: endpoints.map(({ id }) =>
      api.queryOptions("get", "/v2/{endpointId}/health", { params: { path: { endpointId: id } } }),
    ),
  });
  const loads = endpoints.flatMap(({ id, name }, n) => {
    const health = answers[n]!.data;
    if (!health) return [];
    const { jobs, workers } = health;
    const ready = workers.idle + workers.running;
    const of = { queued: jobs.inQueue, running: jobs.inProgress, unhealthy: workers.unhealthy };
    return [{ id, name: name || id, ready, ...of }];
  });
  return {
    loads: loads.sort((a, b) => b.queued + b.running - (a.queued + a.running)),
    more: all.length - endpoints.length,
  };
}
