// The limits of a request to a load-balancing endpoint: the endpoint's own timeout, and the platform's
// limits if they are configured.

import type { Clock } from "../../base/clock.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { Fault } from "../../domain/fault.ts";
import type { RequestLimits } from "../../domain/rate/limits.ts";
import type { InboundRequest, ResponseWriter } from "../http/plain/exchange.ts";
import type { Call, CallLimits } from "./call.ts";
import { refuseCall } from "./refuse-call.ts";

export function limitsOf(limits: RequestLimits | null, { spec }: Endpoint): CallLimits {
  const own = spec.executionTimeoutMs === 0 ? null : spec.executionTimeoutMs;
  if (limits === null) return { bodyBytes: null, responseMs: own };
  const { bodyBytes, responseMs } = limits;
  return { bodyBytes, responseMs: own === null ? responseMs : Math.min(own, responseMs) };
}

/** Throws a fault for a body that says that it is too large. */
export function refuseLarge({ bodyBytes }: CallLimits, { headers }: InboundRequest): void {
  if (bodyBytes !== null && Number(headers["content-length"] ?? 0) > bodyBytes) {
    throw new Fault("payload_too_large", { limit: bodyBytes });
  }
}

/** Ends a request whose body or time exceeds the limits. Called once its worker is chosen. */
export function limitCall(clock: Clock, call: Call, response: ResponseWriter): void {
  const { request, limits } = call;
  const { bodyBytes, responseMs } = limits;
  if (responseMs !== null) {
    const cancel = clock.after(responseMs, () => {
      refuseCall(request, response, new Fault("worker_too_slow", { s: responseMs / 1_000 }));
    });
    call.atEnd(cancel);
  }
  if (bodyBytes === null || request.headers["transfer-encoding"] === undefined) return;
  let bytes = 0;
  request.on("data", (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > bodyBytes)
      refuseCall(request, response, new Fault("payload_too_large", { limit: bodyBytes }));
  });
}
