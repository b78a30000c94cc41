// The current load of each endpoint, busiest first.

import { useQueries } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { useCanView } from "../../api/session.ts";

export interface EndpointLoad {
  id: string;
  name: string;
  queued: number;
  running: number;
  /** Workers that can take jobs. */
  ready: number;
  unhealthy: number;
  /** Jobs since the endpoint was created. */
  completed: number;
}

/** Limits the number of queries. */
const MAX_ENDPOINTS = 50;

export function useEndpointLoads(): { loads: EndpointLoad[]; more: number; isLoading: boolean } {
  const enabled = useCanView("resources");
  const { data: all = [], isPending } = api.useQuery(
    "get",
    "/v1/endpoints",
    { params: { query: { includeWorkers: true } } },
    { enabled },
  );
  const endpoints = all.slice(0, MAX_ENDPOINTS);
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
    return [{ id, name: name || id, ready, completed: jobs.completed, ...of }];
  });
  return {
    loads: loads.sort((a, b) => b.queued + b.running - (a.queued + a.running)),
    more: all.length - endpoints.length,
    isLoading: isPending || answers.some((answer) => answer.isPending),
  };
}
