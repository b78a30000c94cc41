// Invalidation: the queries that a change event makes stale. Each path of the OpenAPI document that the
// console reads maps to the kinds of resources that its response depends on.

import type { Paths } from "./client.ts";

/** A change event: ids by kind, or null if any resource of the kind may have changed. */
export type Changes = Record<string, string[] | null>;

type Kind =
  | (
      | "balance"
      | "batch"
      | "budget"
      | "cluster"
      | "endpoint"
      | "fault"
      | "flashApp"
      | "invitation"
      | "job"
      | "jobOperation"
      | "key"
      | "machine"
      | "member"
      | "metrics"
    )
  | (
      | "networkVolume"
      | "pod"
      | "price"
      | "quota"
      | "registryAuth"
      | "savingsPlan"
      | "secret"
      | "session"
    )
  | (
      | "notification"
      | "notificationRule"
      | "sandbox"
      | "schedule"
      | "sshKey"
      | "template"
      | "worker"
    );

/** A path of the REST interfaces, or the name of a GraphQL query. */
type QueryPath = keyof Paths | "flashApps" | "podUsage";

/** Paths that are not listed depend on the kinds of the longest listed path that they begin with. */
const kindsByPath: Partial<Record<QueryPath, Kind[]>> = {
  "/v1/pods": ["pod"],
  "/v1/pods/{podId}/metrics": ["metrics"],
  "/v1/endpoints": ["endpoint", "worker"],
  "/v1/endpoint-activity": ["endpoint", "worker", "metrics"],
  "/v1/endpoints/{endpointId}/cost": ["worker", "metrics"],
  "/v1/endpoints/{endpointId}/history": [], // its time range moves, so it is read again anyway
  "/v1/endpoints/{endpointId}/workers": ["worker"],
  "/v1/endpoints/{endpointId}/releases": ["endpoint"],
  "/v1/jobs": ["job"],
  "/v1/job-operations": ["jobOperation"],
  "/v1/batches": ["batch", "job"],
  "/v1/schedules": ["schedule"],
  "/v1/schedule-preview": [],
  "/v1/workers/{workerId}": ["worker"],
  "/v1/workers/{workerId}/metrics": ["metrics"],
  "/v1/why/{id}": ["job", "worker", "pod", "endpoint", "machine", "schedule"],
  "/v1/templates": ["template"],
  "/v1/networkvolumes": ["networkVolume", "pod", "endpoint"],
  "/v1/containerregistryauth": ["registryAuth"],
  "/v1/secrets": ["secret"],
  "/v1/ssh-keys": ["sshKey"],
  "/v1/machines": ["machine", "pod", "worker", "price"],
  "/v1/machines/{machineId}/metrics": ["metrics"],
  "/v1/catalog/gpu-types": ["machine", "pod", "worker", "price"],
  "/v1/catalog/cpu-flavors": ["machine", "pod", "worker", "price"],
  "/v1/catalog/data-centers": ["machine", "pod", "worker", "price"],
  "/v1/keys": ["key"],
  "/v1/sessions": ["session"],
  "/v1/balance": ["balance", "pod", "worker", "metrics"],
  "/v1/billing/pods": ["balance", "metrics"],
  "/v1/billing/endpoints": ["balance", "metrics"],
  "/v1/billing/networkvolumes": ["balance", "metrics"],
  "/v1/billing/statement": ["balance"],
  "/v1/budgets": ["budget", "metrics"],
  "/v1/savings-plans": ["savingsPlan"],
  "/v1/price-book": ["price", "machine"],
  "/v1/quote": ["quota", "price", "machine", "pod", "worker", "balance", "budget", "savingsPlan"],
  "/v1/faults": ["fault"],
  "/v1/installation": [],
  "/v1/members": ["member"],
  "/v1/exemptions": ["quota"],
  "/v1/projects": ["quota", "pod", "worker", "networkVolume", "price", "member"],
  "/v1/quota": ["quota", "pod", "worker", "networkVolume", "price", "member"],
  "/v1/reservation-feed": ["quota"],
  "/v1/reservations": ["quota"],
  "/v1/invitations": ["member", "invitation"],
  "/v1/notification-rules": ["notificationRule"],
  "/v1/notifications": ["notification"],
  "/v2/billing": ["balance", "metrics"],
  "/v2/pods": ["pod"],
  "/v2/clusters": ["cluster", "pod"],
  "/v2/sandboxes": ["sandbox"],
  "/v2/{endpointId}/health": ["job", "worker"],
  flashApps: ["flashApp", "endpoint"],
  podUsage: ["pod", "metrics"],
};

/** These paths show one resource, and changes name its id. */
const singleResourcePaths: ReadonlySet<string> = new Set<keyof Paths>([
  "/v1/pods/{podId}",
  "/v1/pods/{podId}/events",
]);

/** The key of a query: ["get", path, parameters], or ["graphql", name]. */
export type Key = readonly [
  method: string,
  path: string,
  init?: { params?: { path?: Record<string, string> } },
];

export function isStale([, path, init]: Key, changes: Changes): boolean {
  const ownIds = Object.values(init?.params?.path ?? {});
  return kindsOf(path).some((kind) => {
    const ids = changes[kind];
    if (ids === undefined) return false;
    if (ids === null || !singleResourcePaths.has(path)) return true;
    return ownIds.some((id) => ids.includes(id));
  });
}

function kindsOf(path: string): Kind[] {
  const listed = Object.keys(kindsByPath) as QueryPath[];
  const prefixes = listed.filter((each) => path.startsWith(each));
  const longest = prefixes.sort((a, b) => b.length - a.length)[0];
  return (longest && kindsByPath[longest]) ?? [];
}
