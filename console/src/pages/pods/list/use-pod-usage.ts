// How long each Pod runs and how busy it is. One request reads it for all Pods.

import { useQuery } from "@tanstack/react-query";
import { askGraphql } from "../../../api/graphql.ts";
import { useSession } from "../../../api/session.ts";

export interface PodUsage {
  uptimeMs: number;
  /** In percent, averaged over the Pod's GPUs; null for a Pod without any. */
  gpuLoad: number | null;
  cpuLoad: number;
}

interface Runtime {
  uptimeInSeconds: number;
  gpus: { gpuUtilPercent: number }[] | null;
  container: { cpuPercent: number } | null;
}

const QUERY = `query podUsage { myself { pods { id
  runtime { uptimeInSeconds gpus { gpuUtilPercent } container { cpuPercent } } } } }`;

/** Listed in api/invalidation.ts. */
const KEY = ["graphql", "podUsage"] as const;

interface Answer {
  myself: { pods: { id: string; runtime: Runtime | null }[] };
}

/** The usage of Pods whose containers run, by id; null for a key that may not use GraphQL. */
export function usePodUsage(): ReadonlyMap<string, PodUsage> | null | undefined {
  const isAllowed = useSession().key.permissions.graphql !== "none";
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: () => askGraphql<Answer>(QUERY),
    select: usageById,
    enabled: isAllowed,
  });
  return isAllowed ? data : null;
}

const usageById = ({ myself: { pods } }: Answer) =>
  new Map(pods.flatMap(({ id, runtime }) => (runtime ? [[id, usageOf(runtime)] as const] : [])));

function usageOf({ uptimeInSeconds, gpus, container }: Runtime): PodUsage {
  const loads = (gpus ?? []).map(({ gpuUtilPercent }) => gpuUtilPercent);
  return {
    uptimeMs: uptimeInSeconds * 1_000,
    gpuLoad: loads.length > 0 ? loads.reduce((sum, load) => sum + load, 0) / loads.length : null,
    cpuLoad: container?.cpuPercent ?? 0,
  };
}
