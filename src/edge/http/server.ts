// What clients and workers talk to: one origin for all interfaces. Every route passes the same three
// things on its way in: its address is put right, its caller is admitted, and whatever is refused
// leaves as a fault from the catalogue.

import type { Server } from "node:http";
import type { FastifyBaseLogger } from "fastify";
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { OwnCounts } from "../../flows/metrics/own.ts";
import { isStoreAway, patiently } from "../../flows/store-away.ts";
import { answerByConsole, isConsole } from "../console/answer.ts";
import { mendAddress } from "./address.ts";
import { noHost } from "./broken-http.ts";
import { admit, type Doors } from "./caller.ts";
import { asFault, sendFault } from "./faults.ts";
import { type Listeners, listener } from "./listener.ts";
import { patienceFor } from "./patience.ts";
import type { Polls } from "./polls.ts";

export interface RouteRecord {
  method: string;
  path: string;
  needs: string;
}

export interface ServerDeps extends Doors {
  log: FastifyBaseLogger;
  clock: Clock;
  protocol: Protocol;
  polls: Polls;
  listeners: Listeners;
  counts: OwnCounts;
}

/** No route has a schema of Fastify's, so its compilers need not be read: a quarter of its modules. */
const unused = () => () => {
  throw new Error("bodies are checked by the schemas of the contract, not by Fastify's");
};

export function openServer(deps: ServerDeps): {
  app: FastifyInstance;
  /** Every route there is, for the tests that try each one without a key. */
  routes: RouteRecord[];
} {
  const app = fastify({
    schemaController: { compilersFactory: { buildValidator: unused, buildSerializer: unused } },
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    serverFactory: (routes) => listener(routes, deps.listeners),
    // A HEAD that Fastify answered by a GET's handler would take a job and throw it away.
    exposeHeadRoutes: false,
    bodyLimit: 1_048_576,
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
    // One logger for all requests: a child for each would cost more than their authentication.
    childLoggerFactory: (logger) => logger,
    rewriteUrl: (request) => mendAddress(request.url ?? "/"),
    frameworkErrors: (error, request, reply) => sendFault(reply, asFault(error, request)),
  });
  const routes: RouteRecord[] = [];
  app.addHook("onRoute", ({ method, url, config }) => {
    for (const each of [method].flat()) {
      routes.push({ method: each, path: url, needs: JSON.stringify(config?.needs ?? null) });
    }
  });
  app.decorateRequest("holder", null);
  app.decorateRequest("bearer", false);
  app.addHook("onRequest", (request, reply, done) => {
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1")
      return done(noHost());
    const { origin } = request.headers;
    if (origin !== undefined && deps.listeners.first?.isPage(origin)) return done(fromPodsPage());
    const asking = admit(request, deps);
    if (!asking) return done();
    asking.catch((error) => admitLater(deps, request, reply, error)).then(() => done(), done);
  });
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "none";
    deps.counts.answered(request.method, route, reply.statusCode, reply.elapsedTime);
    done();
  });
  app.setErrorHandler((error, request, reply) => sendFault(reply, asFault(error, request)));
  app.setNotFoundHandler((request, reply) => {
    if (isConsole(request)) return answerByConsole(request, reply);
    const path = request.url.split("?")[0]!;
    const others = methodsAt(routes, path);
    if (others.length === 0) {
      return sendFault(reply, new Fault("route_not_found", { method: request.method, path }));
    }
    const allowed = others.join(", ");
    reply.header("allow", allowed);
    sendFault(reply, new Fault("method_not_allowed", { method: request.method, path, allowed }));
  });
  return { app, routes };
}

/** A server that answers as the first one does, for another address. */
export function anotherServer(app: FastifyInstance, listeners: Listeners): Server {
  return listener((request, response) => app.routing(request, response), listeners);
}

/** Whoever's browser shows a Pod's page, it is the Pod that asks. */
function fromPodsPage(): Fault {
  return new Fault("forbidden", { detail: "A page that a Pod shows may not call this service." });
}

/** Who a worker is can only be told by the store: while that is away, it is waited for. */
async function admitLater(
  deps: ServerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): Promise<void> {
  const { needs } = request.routeOptions.config;
  if (needs !== "worker" || !isStoreAway(error)) throw error;
  await patiently(patienceFor(deps, request, reply), async () => admit(request, deps));
}

/** The methods that some route takes at this address, by the shape of its path. */
function methodsAt(routes: RouteRecord[], path: string): string[] {
  const parts = path.split("/");
  const fits = (pattern: string) => {
    const wanted = pattern.split("/");
    if (wanted.at(-1) === "*") return wanted.slice(0, -1).every((part, i) => same(part, parts[i]));
    return wanted.length === parts.length && wanted.every((part, i) => same(part, parts[i]));
  };
  return [...new Set(routes.filter((route) => fits(route.path)).map(({ method }) => method))];
}

function same(wanted: string, part: string | undefined): boolean {
  return wanted.startsWith(":") ? part !== "" : wanted === part;
}
