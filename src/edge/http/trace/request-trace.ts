// The trace of a request: what its caller sent, and where the service traces, the span of the request itself.

import type { FastifyInstance } from "fastify";
import type { Clock } from "../../../base/clock.ts";
import { requestSpan, type TracedRequest } from "../../../domain/trace/request-span.ts";
import type { Tracer } from "../../../domain/trace/span.ts";
import { readTraceContext, type TraceContext } from "../../../domain/trace/trace-context.ts";
import type { RouteReply, RouteRequest } from "../request/route.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Its span; null if it has none. */
    traced: TracedRequest | null;
  }
}

/** The context of what the request causes; null for none. */
export function traceOf(request: RouteRequest): TraceContext | null {
  return request.traced?.context ?? readTraceContext(request.headers);
}

/** Records a span for every request of a client. Polls, pings and probes have one only if they carry a context. */
export function traceRequests(app: FastifyInstance, tracer: Tracer, clock: Clock): void {
  app.addHook("onRequest", (request, _reply, done) => {
    beginTrace(request, tracer, clock);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    endTrace(request, reply, tracer);
    done();
  });
}

export function beginTrace(request: RouteRequest, tracer: Tracer, clock: Clock): void {
  const parent = readTraceContext(request.headers);
  const isClients = typeof request.routeOptions.config.needs === "object";
  if (parent === null && !isClients) return;
  const context = tracer.begin(parent);
  const parentSpanId = parent?.spanId ?? null;
  request.traced = { context, parentSpanId, startMs: clock.now() };
}

export function endTrace(request: RouteRequest, reply: RouteReply, tracer: Tracer): void {
  const { traced, method, url, headers, raw } = request;
  if (!traced?.context.sampled) return;
  tracer.record(
    requestSpan(traced, {
      method,
      scheme: "encrypted" in raw.socket ? "https" : "http",
      path: url.split("?", 1)[0]!,
      host: headers.host,
      route: request.routeOptions.url ?? "none",
      userAgent: headers["user-agent"],
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
    }),
  );
}
