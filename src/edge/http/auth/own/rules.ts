// What a role that sees only its own may do on each route of resources and jobs. A route that no row allows is closed. Pure.

import type { OwnedKind } from "../../../../flows/member/ownership.ts";

/** The kind of resource that a parameter of a path names. */
export const parameterKinds: Readonly<Record<string, OwnedKind>> = {
  podId: "pod",
  sandboxId: "sandbox",
  clusterId: "cluster",
  endpointId: "endpoint",
  workerId: "worker",
  jobId: "job",
  batchId: "batch",
  jobOperationId: "jobOperation",
  scheduleId: "schedule",
  reservationId: "reservation",
  templateId: "template",
  networkVolumeId: "networkVolume",
  containerRegistryAuthId: "registryAuth",
  registryId: "registryAuth",
  secretId: "secret",
  sshKeyId: "sshKey",
  s3KeyId: "s3Key",
  id: "subject",
};

/** Parameters that name a part of what the parameter before them names. */
const parts = new Set(["version", "n", "buildId", "*"]);

/**
 * own: everything that the path names belongs to the member. use: any endpoint of the account, to call it. collection: a list
 * that has only the member's own, or something new. queryEndpoint, filterEndpoint: the request must name an endpoint of the
 * member's. closed: nothing.
 */
export type OwnRule = "own" | "use" | "collection" | "queryEndpoint" | "filterEndpoint" | "closed";

const rules: Record<Exclude<OwnRule, "own">, readonly string[]> = {
  use: [
    "POST /v2/:endpointId/run",
    "POST /v2/:endpointId/runsync",
    "GET /v2/:endpointId/status/:jobId",
    "POST /v2/:endpointId/status/:jobId",
    "GET /v2/:endpointId/status-sync/:jobId",
    "POST /v2/:endpointId/status-sync/:jobId",
    "POST /v2/:endpointId/cancel/:jobId",
    "GET /v2/:endpointId/stream/:jobId",
    "POST /v2/:endpointId/stream/:jobId",
    "GET /v2/:endpointId/health",
    "GET /v2/:endpointId/openai/*",
    "POST /v2/:endpointId/openai/*",
    "PUT /v2/:endpointId/openai/*",
    "DELETE /v2/:endpointId/openai/*",
    "PATCH /v2/:endpointId/openai/*",
    "POST /v1/endpoints/:endpointId/requests",
  ],
  collection: [
    ...both("/v1/pods"),
    ...both("/v1/templates"),
    ...both("/v1/endpoints"),
    "GET /v1/jobs",
    ...both("/v1/batches"),
    ...both("/v1/schedules"),
    "POST /v1/reservations",
    ...both("/v1/networkvolumes"),
    ...both("/v1/containerregistryauth"),
    ...both("/v1/secrets"),
    ...both("/v1/ssh-keys"),
    ...both("/v1/s3-keys"),
    "GET /v1/endpoint-activity",
    "GET /v1/job-operations",
    "GET /v1/schedule-preview",
    "POST /v1/quote",
    ...both("/v2/pods"),
    ...both("/v2/clusters"),
    ...both("/v2/sandboxes"),
    ...both("/v2/serverless"),
    ...both("/v2/templates"),
    ...both("/v2/network-volumes"),
    ...both("/v2/registries"),
    ...both("/v2/account/secrets"),
    "GET /v2/account/ssh-keys",
    "PUT /v2/account/ssh-keys",
  ],
  queryEndpoint: ["GET /v1/jobs/export"],
  filterEndpoint: ["POST /v1/job-operations"],
  /** They show or change what has no owner. */
  closed: [
    "GET /metrics",
    "GET /v2/registries/delegations",
    "POST /v2/registries/delegations",
    "DELETE /v2/registries/delegations/:delegationId",
  ],
};

function both(path: string): string[] {
  return [`GET ${path}`, `POST ${path}`];
}

const byRoute = new Map<string, OwnRule>(
  Object.entries(rules).flatMap(([rule, routes]) =>
    routes.map((route) => [route, rule as OwnRule] as const),
  ),
);

/** Whether a row names the route, or its parameters are all known: a new route is closed until then, and a test says so. */
export function hasRule(method: string, path: string): boolean {
  return byRoute.has(`${method} ${path}`) || isAddressed(path);
}

export function ownRuleOf(method: string, path: string): OwnRule {
  return byRoute.get(`${method} ${path}`) ?? (isAddressed(path) ? "own" : "closed");
}

/** Whether the path names something that can have an owner, and nothing else. */
function isAddressed(path: string): boolean {
  const names = [...path.matchAll(/:(\w+)|(\*)/g)].map(([, name, star]) => name ?? star!);
  return (
    names.some((name) => Object.hasOwn(parameterKinds, name)) &&
    names.every((name) => Object.hasOwn(parameterKinds, name) || parts.has(name))
  );
}
