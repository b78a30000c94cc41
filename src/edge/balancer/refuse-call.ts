// Refusals of the balancer itself. A page of any origin can read them, as it can those of the interfaces; an answer of a
// worker has the worker's own headers.

import type { Fault } from "../../domain/fault.ts";
import type { InboundRequest, ResponseWriter } from "../http/plain/exchange.ts";
import { READABLE_HEADERS } from "../http/request/cross-origin.ts";
import { refuse } from "../proxy/refusal.ts";

export function refuseCall(request: InboundRequest, response: ResponseWriter, fault: Fault): void {
  refuse(request, response, fault, request.headers.origin === undefined ? {} : READABLE_HEADERS);
}
