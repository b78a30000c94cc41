// The HTTP server of all interfaces. Every request has its URL normalized and its caller
// authenticated, and every error leaves as a fault from the catalog.

import type { RequestListener, Server } from "node:http";
import type { FastifyBaseLogger } from "fastify";
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { Clock } from "../../base/clock.ts";
import { randomIds } from "../../base/ids.ts";
import { Fault } from "../../domain/fault.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { Tracer } from "../../domain/trace/span.ts";
import type { ProcessMetrics } from "../../flows/metrics/process-metrics.ts";
import { admit } from "./auth/admit.ts";
import { type AuthDeps, authenticate, REST_READ } from "./auth/authorize.ts";
import { authorizeBody } from "./auth/reauthenticate.ts";
import { discardBodies } from "./body/json-body.ts";
import { dropUnreadableType } from "./body/media-type.ts";
import { droppingBody } from "./body/receive.ts";
import { asFault, sendFault } from "./faults.ts";
import type { Polls } from "./held-requests.ts";
import { JSON_HEADERS } from "./json-headers.ts";
import { type Listeners, listener, type PlainHandler } from "./listener.ts";
import { answerWithoutRoute, type WebPages } from "./missing-route.ts";
import { normalizeUrl } from "./normalize-url.ts";
import type { InboundRequest } from "./plain/exchange.ts";
import { allowOrigins, allowRequest, isForAnyOrigin, isPreflight } from "./request/cross-origin.ts";
import { noteContainerRequest } from "./routes/container-requests.ts";
import { PlainRoutes } from "./routes/plain-routes.ts";
import { missingHostFault } from "./socket-fault.ts";
import { traceRequests } from "./trace/request-trace.ts";

export interface RouteRecord {
  method: string;
  path: string;
  needs: string;
}

/** An interface whose paths have errors of their own form, and which refuses what is none of its operations. */
export interface ErrorForm {
  /** Whether errors of requests for this URL have the form. */
  covers(url: string): boolean;
  send(request: FastifyRequest, reply: FastifyReply, fault: Fault): void;
  /** Whether the request is below the interface's paths, but none of its operations. */
  isUnknownRoute(request: FastifyRequest): boolean;
  unknownRouteFault(request: FastifyRequest, reply: FastifyReply): Fault;
}

export interface ServerDeps extends AuthDeps {
  log: FastifyBaseLogger;
  clock: Clock;
  protocol: Protocol;
  polls: Polls;
  listeners: Listeners;
  /** Whether a plain request may pass by the hooks that are added to the server. */
  passesHooks(request: InboundRequest): boolean;
  metrics: ProcessMetrics;
  /** Records a span of each request; null if tracing is off. */
  tracer: Tracer | null;
  /** The interface whose errors have a form of their own. */
  errorForm: ErrorForm;
  webPages: WebPages;
  /** How long browsers use https only; null to leave that to them. */
  hstsSeconds: number | null;
}

/** No route has a Fastify schema. Without the compilers, Fastify loads a quarter fewer modules. */
const noCompiler = () => () => {
  throw new Error("the contract's schemas validate bodies, not Fastify's");
};

export interface OpenServer {
  app: FastifyInstance;
  /** Serves plain requests to the routes that are added to it. */
  plainRoutes: PlainRoutes;
  /** What additional servers listen with. */
  listeners: Listeners;
  /** Every route, for the tests that call each one without a key. */
  routes: RouteRecord[];
}

export function openServer(deps: ServerDeps): OpenServer {
  const replicaPrefix = randomIds.short(8);
  let requests = 0;
  const nextId = () => `${replicaPrefix}-${(requests++).toString(36)}`;
  const admitDeps = { ...deps, guard: deps.listeners.guard };
  const plainRoutes = new PlainRoutes({ ...admitDeps, nextId });
  const plain: PlainHandler[] = [
    ...(deps.listeners.plain ?? []),
    (request, respond) => plainRoutes.handle(request, respond),
  ];
  const listeners = { ...deps.listeners, plain };
  const app = fastify({
    schemaController: {
      compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler },
    },
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    serverFactory: (routes) => listener(routes, listeners),
    // A HEAD request would run the GET handler, which could take a job and drop it: a route opts in.
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
    // One logger for all requests: a child logger per request costs more than authentication.
    childLoggerFactory: (logger) => logger,
    rewriteUrl: (request) => normalizeUrl(request.url ?? "/"),
    genReqId: nextId,
    frameworkErrors: (error, request, reply) => refuseUrl(deps, request, reply, error),
  });
  const routes: RouteRecord[] = [];
  if (deps.hstsSeconds !== null) requireHttps(app, deps.hstsSeconds);
  app.addHook("onRoute", (route) => {
    const { method, url, config } = route;
    route.handler = droppingBody(route.handler);
    for (const each of [method].flat()) {
      routes.push({ method: each, path: url, needs: JSON.stringify(config?.needs ?? null) });
    }
  });
  app.decorateRequest("principal", null);
  app.decorateRequest("bearer", false);
  app.decorateRequest("heldBytes", null);
  app.decorateRequest("isHandled", false);
  app.decorateRequest("traced", null);
  if (deps.tracer) traceRequests(app, deps.tracer, deps.clock);
  discardBodies(app);
  admitPages(app, deps.listeners);
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(JSON_HEADERS);
    dropUnreadableType(request.headers);
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1")
      return done(missingHostFault());
    if (deps.errorForm.isUnknownRoute(request))
      return void refuseUnknownRoute(deps, request, reply);
    if (request.is404) return void answerWithoutRoute({ ...deps, routes }, request, reply);
    const admission = admit(admitDeps, request, reply);
    if (admission) admission.then(() => done(), done);
    else done();
  });
  checkBodies(app, deps);
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "none";
    deps.metrics.recordRequest(request.method, route, reply.statusCode, reply.elapsedTime);
    done();
  });
  app.setErrorHandler((error, request, reply) =>
    refuse(deps, request, reply, asFault(error, request)),
  );
  return { app, plainRoutes, listeners, routes };
}

/** Answers preflights, and lets pages of other origins read the answers of the interfaces. */
function admitPages(app: FastifyInstance, { interceptor }: Listeners): void {
  app.addHook("onRequest", (request, reply, done) => {
    const { origin } = request.headers;
    if (origin !== undefined && interceptor?.isPage(origin)) {
      reply.headers(JSON_HEADERS);
      return done(podPageFault());
    }
    if (!handlePreflight(request, reply)) done();
  });
}

/** Answers a preflight; false for another request, whose answer a page of any origin can read. */
function handlePreflight(request: FastifyRequest, reply: FastifyReply): boolean {
  if (request.headers.origin === undefined || !isForAnyOrigin(request.url)) return false;
  allowOrigins(reply.raw);
  if (!isPreflight(request)) return false;
  allowRequest(request.headers, reply.raw);
  reply.code(204).send();
  return true;
}

function checkBodies(app: FastifyInstance, deps: AuthDeps): void {
  app.addHook("preHandler", (request, _, done) => {
    const check = authorizeBody(request, deps);
    if (check) check.then(() => done(), done);
    else done();
  });
}

/** Each interface has its own form of errors. */
function refuse(
  { errorForm }: ServerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  fault: Fault,
): void {
  if (errorForm.covers(request.url)) errorForm.send(request, reply, fault);
  else sendFault(reply, fault);
}

/** A request whose URL cannot be read passes no hook. */
function refuseUrl(
  deps: ServerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): void {
  if (handlePreflight(request, reply)) return;
  reply.headers(JSON_HEADERS);
  refuse(deps, request, reply, asFault(error, request));
}

function requireHttps(app: FastifyInstance, seconds: number): void {
  app.addHook("onRequest", (request, reply, done) => {
    if (request.protocol === "https")
      reply.header("strict-transport-security", `max-age=${seconds}`);
    done();
  });
}

/** Answered here: the routes of workers, one of which can match, hold their refusals. */
async function refuseUnknownRoute(
  deps: ServerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  try {
    await authenticate(request, deps, REST_READ);
    refuse(deps, request, reply, deps.errorForm.unknownRouteFault(request, reply));
  } catch (error) {
    refuse(deps, request, reply, asFault(error, request));
  }
}

/**
 * The listener of containers, with the same routes. A container may send any header, and no reverse proxy
 * leads there, so its requests say nothing about the callers of the service's own listener, and none is its operator's.
 */
export function containersServer(app: FastifyInstance, listeners: Listeners): Server {
  const localTrust = { note() {} };
  const routes: RequestListener = (request, response) => {
    noteContainerRequest(request);
    app.routing(request, response);
  };
  return listener(routes, { ...listeners, localTrust, tls: null });
}

/** A request from a Pod's page counts as the Pod's, whose browser session it would use. */
function podPageFault(): Fault {
  return new Fault("forbidden", { detail: "A Pod's page may not call this service." });
}
