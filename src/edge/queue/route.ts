// What every route of the queue has in common: what it needs of its caller, and which endpoint and
// job its path names.

import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";
import { ID_PATTERN } from "../../base/ids.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { Fault } from "../../domain/fault.ts";
import { type LimitName, limitNames } from "../../domain/rate/limits.ts";
import type { EdgeDeps } from "./deps.ts";

/** Which limit is a route's: the word behind the endpoint. */
export function limitOf(pattern: string): LimitName | null {
  const word = pattern.split("/")[3] ?? "";
  const name = { "status-sync": "status", metrics: "health" }[word] ?? word;
  return limitNames.find((each) => each === name) ?? null;
}

/** What a queue operation needs of its caller, and how large its body may be. */
export function operation(access: "read" | "write", bodyBytes?: number): RouteShorthandOptions {
  const needs = { of: "queue" as const, access };
  return { config: bodyBytes === undefined ? { needs } : { needs, bodyBytes } };
}

export const read = operation("read");
export const write = operation("write");

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Some clients ask by GET, others by POST with an empty body. */
export function both(app: FastifyInstance, path: string, handler: Handler): void {
  app.get(path, read, handler);
  app.post(path, read, handler);
}

/** The endpoint the path names, if the caller may see it. */
export async function endpointOf(deps: EdgeDeps, request: FastifyRequest): Promise<Endpoint> {
  const { endpointId } = request.params as { endpointId: string };
  if (!ID_PATTERN.test(endpointId)) {
    throw new Fault("invalid_id", { noun: "endpoint", id: endpointId.slice(0, 80) });
  }
  const found = deps.directory.endpoint(endpointId);
  const endpoint = found instanceof Promise ? await found : found;
  const { holder } = request;
  if (!endpoint || holder?.kind !== "account" || endpoint.accountId !== holder.key.accountId) {
    throw new Fault("endpoint_not_found", { id: endpointId });
  }
  return endpoint;
}

export function jobIdOf(request: FastifyRequest): string {
  const { jobId } = request.params as { jobId: string };
  if (!ID_PATTERN.test(jobId)) {
    throw new Fault("invalid_id", { noun: "job", id: jobId.slice(0, 80) });
  }
  return jobId;
}

/** Throws where so many jobs wait already that the queue takes no more. */
export async function mustHaveRoom({ rates }: EdgeDeps, endpoint: Endpoint): Promise<void> {
  const waiting = await rates.waitingInFull(endpoint);
  if (waiting === null) return;
  const { workersMax } = endpoint.spec;
  const detail = `${waiting} jobs wait in this queue, which may have ${workersMax} workers`;
  throw new Fault("rate_limited", { detail }, { retryAfterS: 5 });
}
