// The limits of a request to a load-balancing endpoint: the endpoint's own timeout, and the platform's
// limits if they are configured.

import type { Clock } from "../../base/clock.ts";
import { MIB } from "../../base/units.ts";
import type { Endpoint } from "../../domain/endpoint/endpoint.ts";
import { Fault } from "../../domain/fault.ts";
import type { RequestLimits } from "../../domain/rate/limits.ts";
import type { InboundRequest } from "../http/plain/exchange.ts";
import type { Call, CallLimits } from "./call.ts";

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
export function limitCall(clock: Clock, call: Call, refuse: (fault: Fault) => void): void {
  const { request, limits } = call;
  const { bodyBytes, responseMs } = limits;
  const end = (fault: Fault) => {
    if (call.isAnswered) call.cut();
    else refuse(fault);
  };
  if (responseMs !== null) {
    const slow = () => end(new Fault("worker_too_slow", { s: responseMs / 1_000 }));
    call.atEnd(clock.after(responseMs, slow));
  }
  if (bodyBytes === null || request.headers["transfer-encoding"] === undefined) return;
  let bytes = 0;
  request.on("data", (piece: Buffer) => {
    const isFirst = bytes <= bodyBytes;
    bytes += piece.length;
    if (bytes <= bodyBytes) return;
    if (isFirst) end(new Fault("payload_too_large", { limit: bodyBytes }));
    // The refusal has its time to arrive, before a client that does not stop for it is cut off.
    else if (bytes > bodyBytes + MAX_DRAINED_BYTES) request.socket.destroy();
  });
}

const MAX_DRAINED_BYTES = 16 * MIB;
