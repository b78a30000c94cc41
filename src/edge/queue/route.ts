// What every route of the queue has in common: what it needs of its caller, and which endpoint and
// job its path names.

import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from "fastify";
import { ID_PATTERN } from "../../base/ids.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { Fault } from "../../domain/fault.ts";
import type { EdgeDeps } from "./deps.ts";

export type Operation =
  | "run"
  | "runsync"
  | "status"
  | "stream"
  | "cancel"
  | "retry"
  | "purge-queue"
  | "health"
  | "openai"
  | "requests";

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

/** The endpoint the path names, if the caller may see it and is not asking too often. */
export async function endpointOf(
  deps: EdgeDeps,
  request: FastifyRequest,
  name: Operation,
): Promise<Endpoint> {
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
  const refusal = deps.rateLimit(holder.key.id, endpointId, name);
  if (refusal) throw new Fault("rate_limited", { detail: refusal.detail }, refusal);
  return endpoint;
}

export function jobIdOf(request: FastifyRequest): string {
  const { jobId } = request.params as { jobId: string };
  if (!ID_PATTERN.test(jobId)) {
    throw new Fault("invalid_id", { noun: "job", id: jobId.slice(0, 80) });
  }
  return jobId;
}
