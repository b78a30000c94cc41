// A request that the service makes for a caller, through the balancer as any other request.

import { Readable } from "node:stream";
import type { InboundRequest } from "../http/plain/exchange.ts";
import type { CallerRequest, ResponseEvent } from "../management/endpoint/endpoint-call.ts";
import type { Balancer } from "./balancer.ts";
import { EventResponse } from "./event-response.ts";

export async function* callAsEvents(
  balancer: Balancer,
  call: CallerRequest,
): AsyncGenerator<ResponseEvent> {
  const request = inboundRequest(call);
  const response = new EventResponse(request);
  const close = () => response.destroy();
  call.signal.addEventListener("abort", close);
  try {
    balancer.handleFor(call.key, call.endpointId, request, response);
    if (call.signal.aborted) close();
    yield* response.events();
  } finally {
    call.signal.removeEventListener("abort", close);
    close();
  }
}

function inboundRequest({ method, path, host, headers, body, socket }: CallerRequest) {
  const sent = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  sent.set("host", host);
  if (body.length > 0) sent.set("content-length", `${body.length}`);
  return Object.assign(Readable.from(body.length > 0 ? [body] : [], { objectMode: false }), {
    method,
    url: path,
    httpVersion: "1.1",
    socket,
    rawTrailers: [],
    headers: Object.fromEntries(sent),
    rawHeaders: [...sent].flat(),
  }) satisfies InboundRequest;
}
