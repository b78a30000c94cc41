// The numbers of jobs and workers of an endpoint.

import { api } from "../../api/client.ts";
import { formatCount } from "../../components/format/units.ts";
import { Skeleton } from "../../components/layout/skeleton.tsx";

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
      {formatCount(inQueue)} queued, {formatCount(inProgress)} running
    </>
  );
}

interface WorkerProps {
  endpointId: string;
  /** The workersMax of the endpoint. */
  maximum: number;
}

export function WorkerCounts({ endpointId, maximum }: WorkerProps) {
  const health = useHealth(endpointId);
  if (!health) return <Skeleton className="h-4 w-20" />;
  const { idle, running, initializing, unhealthy } = health.workers;
  const all = idle + running + initializing + unhealthy;
  return (
    <>
      {all} of {maximum}
      {unhealthy > 0 && <span className="text-bad">, {unhealthy} unhealthy</span>}
    </>
  );
}
