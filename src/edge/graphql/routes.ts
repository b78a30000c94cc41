// /graphql.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { capacityOf } from "../../flows/catalog/capacity.ts";
import { askedBy } from "../http/acting.ts";
import { asFault } from "../http/faults.ts";
import { onceOf } from "../http/once.ts";
import { limitRates } from "../http/rate-limit.ts";
import { takeJsonBodies } from "../rest-v1/json-body.ts";
import { type Answered, refused } from "./answered.ts";
import type { Context, GraphqlDeps } from "./context.ts";
import type { Executor } from "./executor.ts";
import { graphiqlRoutes } from "./graphiql.ts";
import { readRequest } from "./request.ts";
import { subjectOf } from "./subjects.ts";

const needs = { of: "graphql", access: "read", orNone: true, ownPod: true } as const;

export function graphqlRoutes(deps: GraphqlDeps) {
  let opened: Promise<Executor> | null = null;
  /** Read with the first document: many services are never asked one. */
  const open = () => import("./executor.ts").then(({ openExecutor }) => openExecutor(deps));
  return async (app: FastifyInstance): Promise<void> => {
    limitRates(app, deps.rates, () => "graphql");
    takeJsonBodies(app);
    app.setErrorHandler((error, request, reply) => send(reply, refused(asFault(error, request))));
    graphiqlRoutes(app);
    app.post("/graphql", { config: { needs } }, async (request, reply) => {
      const unforeseen = (error: unknown) => asFault(error, request);
      const asked = readRequest(request.body);
      const context = contextOf(deps, request);
      opened ??= open();
      const execute = await opened;
      return send(reply, await execute(asked, context, unforeseen));
    });
  };
}

function send(reply: FastifyReply, { status, retryAfterS, body }: Answered): FastifyReply {
  if (retryAfterS !== null) reply.header("retry-after", String(retryAfterS));
  return reply.code(status).type("application/json; charset=utf-8").send(body);
}

function contextOf(deps: GraphqlDeps, request: FastifyRequest): Context {
  const { holder } = request;
  let capacity: ReturnType<Context["capacity"]> | null = null;
  return {
    deps,
    asks: (operation, resourceId) =>
      askedBy(request, "graphql", { operation, resourceType: subjectOf(operation), resourceId }),
    key: holder?.kind === "account" ? holder.key : null,
    ownPod: holder?.kind === "pod" ? holder.pod : null,
    once: onceOf(request, () => JSON.stringify(request.body)),
    capacity: () => (capacity ??= capacityOf(deps)),
  };
}
