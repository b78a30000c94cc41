// Requests below a reserved word of /v2 that are no operation of REST v2. They are refused before the queue
// could take the word for an endpoint.

import type { FastifyReply, FastifyRequest } from "fastify";
import { operationsV2 } from "../../../contract/rest-v2/operations.ts";
import { Fault } from "../../../domain/fault.ts";
import {
  isFlashCallPath,
  isRestV2Path,
  reservedWords,
  unofferedWords,
} from "../../../domain/reserved-words.ts";
import { methodsAt, routePath } from "../../http/route-table.ts";

/** Routes of the queue and of workers begin with the id of an endpoint. */
const ENDPOINT_ROUTE = "/v2/:endpointId/";

export function isUnknownRoute(request: FastifyRequest): boolean {
  if (request.is404) return isRestV2Path(request.url);
  const { endpointId } = request.params as { endpointId?: string };
  if (endpointId === undefined || !reservedWords.has(endpointId)) return false;
  if (isFlashCallPath(request.url)) return false;
  return request.routeOptions.url?.startsWith(ENDPOINT_ROUTE) === true;
}

/** Clients take a 404 for a deleted resource, so what is not offered is a 400. */
export function unknownRouteFault({ url, method }: FastifyRequest, reply: FastifyReply): Fault {
  const path = url.split("?")[0]!;
  const word = path.split("/")[2]!;
  if (unofferedWords.has(word)) {
    return new Fault("not_offered", {
      detail: `${method} ${path.slice(0, 200)} is not offered here.`,
    });
  }
  const methods = methodsAt(routes, path).join(", ");
  if (methods === "") return new Fault("route_not_found", { method, path });
  reply.header("allow", methods);
  return new Fault("method_not_allowed", { method, path, allowed: methods });
}

const routes = Object.values(operationsV2).map(({ method, path }) => ({
  method,
  path: routePath(path),
}));
