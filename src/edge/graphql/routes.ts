// The routes of the GraphQL interface.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { HeartbeatTiming } from "../../domain/replica/heartbeat-timing.ts";
import { capacityOf } from "../../flows/catalog/capacity.ts";
import type { RateLimits } from "../../flows/rate-limits.ts";
import { auditActionBy } from "../http/auth/audit-context.ts";
import { addJsonBodyParser } from "../http/body/json-body.ts";
import type { BodyRooms } from "../http/body/receive.ts";
import { asFault } from "../http/faults.ts";
import { readIdempotencyKey } from "../http/idempotency-key.ts";
import { JSON_TYPE } from "../http/json-headers.ts";
import { acceptsHtml } from "../http/request/accepts-html.ts";
import { limitRates } from "../http/routes/rate-limit.ts";
import type { Addresses, VaultDeps } from "../management/deps.ts";
import { originFor } from "../management/serve/origin.ts";
import type { ResolverDeps } from "./execute/executable-schema.ts";
import type { Executor } from "./execute/executor.ts";
import { graphiqlRoutes, sendGraphiql } from "./execute/graphiql.ts";
import { faultReply, type GraphqlReply } from "./execute/reply.ts";
import { type GraphqlRequest, readQueryString, readRequest } from "./execute/request.ts";
import { resourceTypeOf } from "./schema/audit-subjects.ts";
import type { GraphqlContext } from "./schema/context.ts";

const needs = { of: "graphql", access: "read", keyOptional: true, ownPod: true } as const;

interface RouteDeps extends VaultDeps, Pick<Addresses, "publicUrl"> {
  heartbeatTiming: HeartbeatTiming;
  rates: RateLimits;
  bodyRooms: BodyRooms;
  /** True if clients may query the schema itself. */
  introspection: boolean;
}

type Deps = RouteDeps & ResolverDeps;

export function graphqlRoutes(deps: Deps) {
  let executor: Promise<Executor> | null = null;
  /** Loaded with the first document: many services get none. */
  const openExecutor = () =>
    import("./execute/executor.ts").then((module) => module.openExecutor(deps));
  return async (app: FastifyInstance): Promise<void> => {
    limitRates(app, deps.rates, () => "graphql");
    addJsonBodyParser(app, deps.bodyRooms);
    app.setErrorHandler((error, request, reply) =>
      sendReply(reply, faultReply(asFault(error, request))),
    );
    graphiqlRoutes(app);
    const answer = async (
      document: GraphqlRequest,
      request: FastifyRequest,
      reply: FastifyReply,
    ) => {
      const reportError = (error: unknown) => asFault(error, request);
      const context = contextOf(deps, request);
      executor ??= openExecutor();
      const execute = await executor;
      return sendReply(reply, await execute(document, context, reportError));
    };
    app.post("/graphql", { config: { needs } }, async (request, reply) =>
      answer(readRequest(request.body), request, reply),
    );
    app.get(
      "/graphql",
      { config: { needs: { ...needs, openPage: true } } },
      async (request, reply) =>
        acceptsHtml(request)
          ? sendGraphiql(reply)
          : answer(readQueryString(request.query), request, reply),
    );
  };
}

function sendReply(reply: FastifyReply, { status, retryAfterS, body }: GraphqlReply): FastifyReply {
  if (status === 405) reply.header("allow", "POST");
  if (retryAfterS !== null) reply.header("retry-after", String(retryAfterS));
  return reply.code(status).type(JSON_TYPE).send(body);
}

function contextOf(deps: Deps, request: FastifyRequest): GraphqlContext<Deps> {
  const { principal } = request;
  let capacity: ReturnType<GraphqlContext["capacity"]> | null = null;
  return {
    deps,
    act: (operation, resourceId) =>
      auditActionBy(request, "graphql", {
        operation,
        resourceType: resourceTypeOf(operation),
        resourceId,
      }),
    key: principal?.kind === "account" ? principal.key : null,
    caller: { address: request.ip, agent: request.headers["user-agent"] ?? "" },
    origin: originFor(deps, request),
    ownPod: principal?.kind === "pod" ? principal.pod : null,
    once: readIdempotencyKey(deps.vault, request, () => JSON.stringify(request.body)),
    capacity: () => (capacity ??= capacityOf(deps)),
  };
}
