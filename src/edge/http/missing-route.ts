// The answer to a request that no route matches.

import type { FastifyReply, FastifyRequest } from "fastify";
import { Fault } from "../../domain/fault.ts";
import { isHostedBatchPath } from "../../domain/reserved-words.ts";
import { asFault, sendFault } from "./faults.ts";
import { methodsAt } from "./route-table.ts";
import type { RouteRecord } from "./server.ts";

/** Pages for browsers at addresses that no route has. */
export interface WebPages {
  cover(request: FastifyRequest): boolean;
  send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

/** Answers before the body is read: whatever it is, no route takes it. */
export async function answerWithoutRoute(
  { routes, webPages }: { routes: readonly RouteRecord[]; webPages: WebPages },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  try {
    const fault = missingRoute(routes, request, reply);
    const isUnknown = fault.code === "route_not_found";
    if (isUnknown && webPages.cover(request)) await webPages.send(request, reply);
    else sendFault(reply, fault);
  } catch (error) {
    sendFault(reply, asFault(error, request));
  }
}

function missingRoute(
  routes: readonly RouteRecord[],
  { method, url }: FastifyRequest,
  reply: FastifyReply,
): Fault {
  const path = url.split("?")[0]!;
  if (isHostedBatchPath(path)) {
    const detail = `${method} ${path.slice(0, 200)} is not offered here; POST /v1/batches submits a batch of jobs.`;
    return new Fault("not_offered", { detail });
  }
  const others = methodsAt(routes, path);
  if (others.length === 0) return new Fault("route_not_found", { method, path });
  const allowed = others.join(", ");
  reply.header("allow", allowed);
  return new Fault("method_not_allowed", { method, path, allowed });
}
