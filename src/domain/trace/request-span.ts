// The span of a request to one of the service's HTTP interfaces.

import { type Span, spanError } from "./span.ts";
import type { TraceContext } from "./trace-context.ts";

export interface TracedRequest {
  context: TraceContext;
  parentSpanId: string | null;
  startMs: number;
}

export interface AnsweredRequest {
  method: string;
  /** The route's pattern. */
  route: string;
  /** The path without its query, which may hold a key. */
  path: string;
  scheme: string;
  /** The Host header. */
  host: string | undefined;
  userAgent: string | undefined;
  status: number;
  durationMs: number;
}

export function requestSpan(traced: TracedRequest, answered: AnsweredRequest): Span {
  const { context, parentSpanId, startMs } = traced;
  const { method, route, path, scheme, host, userAgent, status, durationMs } = answered;
  return {
    name: `${method} ${route}`,
    kind: "server",
    context,
    parentSpanId,
    startMs,
    endMs: startMs + durationMs,
    attributes: {
      "http.request.method": method,
      "http.route": route,
      "url.path": path,
      "url.scheme": scheme,
      ...(host !== undefined && addressOf(host)),
      ...(userAgent !== undefined && { "user_agent.original": userAgent }),
      "http.response.status_code": status,
    },
    links: [],
    // A client's mistake is no error of the server.
    error: status >= 500 ? spanError(String(status), `it answered ${status}`) : null,
  };
}

function addressOf(host: string): Span["attributes"] {
  const [, address = host, port] = /^(.*?)(?::(\d+))?$/.exec(host) ?? [];
  return { "server.address": address, ...(port && { "server.port": Number(port) }) };
}
