// Routes for plain connections: requests in the usual form pass neither through Node's HTTP server nor through Fastify.
// A request that no route here matches, or that has anything unusual, is left to them.

import type { FastifyBaseLogger } from "fastify";
import { isRestV2Path } from "../../../domain/reserved-words.ts";
import type { Tracer } from "../../../domain/trace/span.ts";
import type { ProcessMetrics } from "../../../flows/metrics/process-metrics.ts";
import { type AdmitDeps, admit } from "../auth/admit.ts";
import { reauthenticate } from "../auth/reauthenticate.ts";
import { readRawBody } from "../body/raw-body.ts";
import { dropBody } from "../body/receive.ts";
import { asFault, sendFault } from "../faults.ts";
import { normalizeUrl } from "../normalize-url.ts";
import type { InboundRequest, ResponseWriter } from "../plain/exchange.ts";
import type { Route } from "../request/route.ts";
import { beginTrace, endTrace } from "../trace/request-trace.ts";
import { PlainCall, PlainReply } from "./plain-call.ts";
import type { RouteScope } from "./route-scope.ts";

export interface PlainRoutesDeps extends AdmitDeps {
  log: FastifyBaseLogger;
  metrics: ProcessMetrics;
  tracer: Tracer | null;
  passesHooks(request: InboundRequest): boolean;
  /** The id of the next request. */
  nextId(): string;
}

interface Target {
  route: Route;
  scope: RouteScope;
  /** The names of the path's parameters. */
  names: string[];
}

interface Match extends Target {
  url: string;
  params: Record<string, string>;
}

const SEGMENT = "([^/?%]{1,100})";
/** An endpoint, an operation and up to two parameters. */
const PATH = new RegExp(`^/v2/${SEGMENT}/${SEGMENT}(?:/${SEGMENT})?(?:/${SEGMENT})?(?:\\?|$)`);
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w-]+)*$/;

export class PlainRoutes {
  readonly #deps: PlainRoutesDeps;
  /** The targets of each operation. */
  readonly #targets = new Map<string, Target[]>();

  constructor(deps: PlainRoutesDeps) {
    this.#deps = deps;
  }

  add(scope: RouteScope): void {
    for (const route of scope.routes) {
      const [, , endpoint = "", operation = "", ...rest] = route.path.split("/");
      const names = [endpoint, ...rest].map((parameter) => parameter.slice(1));
      const targets = this.#targets.get(operation) ?? [];
      this.#targets.set(operation, [...targets, { route, scope, names }]);
    }
  }

  /** False, without a response, if the request is for others. */
  handle(request: InboundRequest, respond: () => ResponseWriter): boolean {
    if (!isUsual(request) || !this.#deps.passesHooks(request)) return false;
    const match = this.#match(request);
    if (match === null) return false;
    const { log, nextId } = this.#deps;
    const call = new PlainCall(request, match, { id: nextId(), log });
    const reply = new PlainReply(respond());
    reply.raw.once("close", () => this.#close(call, reply));
    void this.#serve(match.scope, match.route, call, reply);
    return true;
  }

  #match({ method = "", url = "" }: InboundRequest): Match | null {
    const normalized = normalizeUrl(url);
    const segments = PATH.exec(normalized);
    if (segments === null || isRestV2Path(normalized)) return null;
    const [, endpoint, operation = "", first, second] = segments;
    const values = [endpoint, first, second].filter((value) => value !== undefined);
    const target = this.#targets
      .get(operation)
      ?.find(({ route, names }) => route.method === method && names.length === values.length);
    if (target === undefined) return null;
    const params: Record<string, string> = {};
    for (let n = 0; n < values.length; n++) params[target.names[n]!] = values[n]!;
    return { ...target, url: normalized, params };
  }

  /** Takes the steps that Fastify takes, in the same order. */
  async #serve(scope: RouteScope, route: Route, call: PlainCall, reply: PlainReply): Promise<void> {
    const { tracer, clock } = this.#deps;
    try {
      if (tracer) beginTrace(call, tracer, clock);
      const admission = admit(this.#deps, call, reply);
      if (admission) await admission;
      for (const precondition of scope.preconditions) {
        const waiting = precondition(call, reply);
        if (waiting) await waiting;
      }
      if (hasBody(call)) {
        await readRawBody(call, call.raw, scope.bodies);
        const renewal = reauthenticate(call, this.#deps);
        if (renewal) await renewal;
      }
      call.isHandled = true;
      reply.sendResult(await route.handler(call, reply));
    } catch (error) {
      await this.#refuse(scope, call, reply, error);
    } finally {
      dropBody(call);
    }
  }

  async #refuse(
    { refusal }: RouteScope,
    call: PlainCall,
    reply: PlainReply,
    error: unknown,
  ): Promise<void> {
    try {
      if (refusal === null) throw error;
      await refusal(error, call, reply);
    } catch (unanswered) {
      const fault = asFault(unanswered, call);
      if (reply.raw.headersSent) reply.raw.destroy();
      else sendFault(reply, fault);
    }
  }

  #close(call: PlainCall, reply: PlainReply): void {
    if (!reply.raw.writableFinished) return;
    const { metrics, tracer } = this.#deps;
    const { method, routeOptions } = call;
    metrics.recordRequest(method, routeOptions.url, reply.statusCode, reply.elapsedTime);
    if (tracer) endTrace(call, reply, tracer);
  }
}

/** Browsers' requests, and media types that Fastify may refuse, are not. */
function isUsual({ headers }: InboundRequest): boolean {
  const type = headers["content-type"];
  return (
    headers.origin === undefined &&
    headers.cookie === undefined &&
    (type === undefined || MEDIA_TYPE.test(type))
  );
}

const hasBody = ({ headers }: PlainCall) => (headers["content-length"] ?? "0") !== "0";
