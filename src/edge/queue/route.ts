// What all routes of the queue share: their access rule, and the endpoint and the job that a path names.

import { ID_PATTERN } from "../../base/ids.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { Fault } from "../../domain/fault.ts";
import { type LimitName, limitNames } from "../../domain/rate/limits.ts";
import { FLASH_WORD } from "../../domain/reserved-words.ts";
import { functionNotFound, readFlashEndpoint } from "../../flows/flash-app/find-endpoint.ts";
import type { BodyPrecondition, Route, RouteHandler, RouteRequest } from "../http/request/route.ts";
import type { RouteScope } from "../http/routes/route-scope.ts";
import { flashFunctionOf } from "../management/endpoint/flash-function.ts";
import type { EdgeDeps } from "../management/job/deps.ts";

/** The rate limit of a route, by the path segment after the endpoint. */
export function limitOf(pattern: string): LimitName | null {
  const word = pattern.split("/")[3] ?? "";
  const name = { "status-sync": "status", metrics: "health" }[word] ?? word;
  return limitNames.find((each) => each === name) ?? null;
}

/** The access that a queue operation requires, and its largest body. */
export function operation(access: "read" | "write", bodyBytes?: number): Pick<Route, "config"> {
  const needs = { of: "queue" as const, access };
  return { config: bodyBytes === undefined ? { needs } : { needs, bodyBytes } };
}

export const read = operation("read");
export const write = operation("write");

/** Some clients use GET, others POST with an empty body. */
export function both(scope: RouteScope, path: string, handler: RouteHandler): void {
  scope.get(path, read, handler);
  scope.post(path, read, handler);
}

/** The queue-based endpoint that the path names. Throws if the caller may not see it. */
export async function endpointOf(deps: EdgeDeps, request: RouteRequest): Promise<Endpoint> {
  const endpoint = await anyEndpointOf(deps, request);
  if (endpoint.spec.type === "LB") throw new Fault("not_queue_based");
  return endpoint;
}

/** The endpoint of any type that the path names. Throws if the caller may not see it. */
export async function anyEndpointOf(deps: EdgeDeps, request: RouteRequest): Promise<Endpoint> {
  if (isFlashCall(request)) return flashEndpointOf(deps, request);
  const { endpointId } = request.params as { endpointId: string };
  if (!ID_PATTERN.test(endpointId)) {
    throw new Fault("invalid_id", { noun: "endpoint", id: endpointId.slice(0, 80) });
  }
  const found = deps.authCache.endpoint(endpointId);
  const endpoint = found instanceof Promise ? await found : found;
  const { principal } = request;
  if (
    !endpoint ||
    principal?.kind !== "account" ||
    endpoint.accountId !== principal.key.accountId
  ) {
    throw new Fault("endpoint_not_found", { id: endpointId });
  }
  return endpoint;
}

/** Refuses a request for a missing or another account's endpoint before its body is read. */
export function requireEndpoint(deps: EdgeDeps): BodyPrecondition {
  return (request) => {
    if (request.method === "GET") return undefined;
    return endpointOf(deps, request).then(() => {});
  };
}

export function jobIdOf(request: RouteRequest): string {
  const { jobId } = request.params as { jobId: string };
  if (!ID_PATTERN.test(jobId)) {
    throw new Fault("invalid_id", { noun: "job", id: jobId.slice(0, 80) });
  }
  return jobId;
}

const isFlashCall = ({ params }: RouteRequest) =>
  (params as { endpointId?: string }).endpointId === FLASH_WORD;

/**
 * The endpoint of a Flash function: /v2/flash/... names none in its path. Headers name the app, the environment and the
 * endpoint, and the key's account has at most one such endpoint. A key that is limited to endpoints is refused before.
 */
async function flashEndpointOf(deps: EdgeDeps, request: RouteRequest): Promise<Endpoint> {
  const wanted = flashFunctionOf(request.headers);
  const { principal } = request;
  if (principal?.kind !== "account") throw functionNotFound(wanted);
  return readFlashEndpoint(deps, principal.key.accountId, wanted);
}
