// What waits for an endpoint and who serves it, in a few numbers.

import { api } from "../../api/client.ts";
import { Skeleton } from "../../parts/skeleton.tsx";
import { count } from "../../parts/units.ts";

export function useHealth(endpointId: string) {
  const query = api.useQuery("get", "/v2/{endpointId}/health", {
    params: { path: { endpointId } },
  });
  return query.data;
}

export function JobCounts({ endpointId }: { endpointId: string }) {
  const health = useHealth(endpointId);
  if (!health) return <Skeleton className="h-4 w-20" />;
  const { inQueue, inProgress } = health.jobs;
  if (inQueue + inProgress === 0) return <span className="text-muted">None</span>;
  return (
    <>
      {count(inQueue)} queued, {count(inProgress)} running
    </>
  );
}

interface WorkerProps {
  endpointId: string;
  /** The endpoint's workersMax. */
  most: number;
}

export function WorkerCounts({ endpointId, most }: WorkerProps) {
  const health = useHealth(endpointId);
  if (!health) return <Skeleton className="h-4 w-20" />;
  const { idle, running, initializing, unhealthy } = health.workers;
  const all = idle + running + initializing + unhealthy;
  return (
    <>
      {all} of {most}
      {unhealthy > 0 && <span className="text-bad">, {unhealthy} unhealthy</span>}
    </>
  );
}
