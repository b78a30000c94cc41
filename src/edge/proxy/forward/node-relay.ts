// Passing on a response that Node's own client reads, with back pressure and without timeouts. If one side disconnects,
// the other is closed.

import type { ClientRequest, IncomingMessage } from "node:http";
import { guarded } from "../../../base/guarded.ts";
import type { Unreached } from "../../../domain/container/unreachable-port.ts";
import type { InboundRequest, ResponseWriter } from "../../http/plain/exchange.ts";
import { headerPairs, responseHeaders } from "../headers.ts";
import type { ProxyRequest } from "../proxy-request.ts";
import { failureReason } from "./failure-reason.ts";
import { relayInterim } from "./interim-response.ts";

/** Calls `refuse` if there is no response. */
export function relayAnswer(
  podRequest: ClientRequest,
  target: ProxyRequest,
  response: ResponseWriter,
  refuse: (why: Unreached) => void,
): void {
  let hasResponse = false;
  podRequest.on(
    "response",
    guarded(
      "a Pod's response",
      (podResponse) => {
        hasResponse = true;
        relayResponse(podResponse, target, response);
      },
      () => response.destroy(),
    ),
  );
  podRequest.on(
    "information",
    guarded(
      "a Pod's response",
      (interim) => relayInterim(interim.statusCode, interim.rawHeaders, target, response),
      () => response.destroy(),
    ),
  );
  podRequest.on("error", (error: NodeJS.ErrnoException) => {
    if (!hasResponse && !response.destroyed) refuse(failureReason(error));
  });
  response.once("close", () => {
    if (!response.writableFinished) podRequest.destroy();
  });
}

/** Relays a response, also one that declines an upgrade. */
export function relayResponse(
  podResponse: IncomingMessage,
  target: ProxyRequest,
  response: ResponseWriter,
): void {
  // The client has a refusal, or has gone.
  if (response.destroyed || response.headersSent) return void podResponse.destroy();
  try {
    const headers = responseHeaders(podResponse.rawHeaders, target);
    target.onHead?.(podResponse.statusCode!);
    response.writeHead(podResponse.statusCode!, podResponse.statusMessage, headers);
  } catch {
    // Node cannot send these headers, such as a Trailer header without a chunked body.
    podResponse.destroy();
    return void response.destroy();
  }
  podResponse.on("error", () => response.destroy());
  let hasBegun = false;
  podResponse.once("data", () => {
    hasBegun = true;
  });
  relayBody(podResponse, response);
  // The head is sent with the first piece of the body, but does not wait for a slow one.
  setImmediate(() => {
    if (!hasBegun && !response.writableEnded && !response.destroyed) response.flushHeaders();
  });
}

type Body = Pick<InboundRequest, "on" | "pause" | "resume" | "rawTrailers">;
type Target = Pick<ResponseWriter, "destroyed" | "write" | "on" | "addTrailers" | "end">;

/** What arrives after the target was closed is dropped. */
export function relayBody(from: Body, to: Target): void {
  from.on("data", (piece) => {
    if (!to.destroyed && !to.write(piece)) from.pause();
  });
  to.on("drain", () => from.resume());
  from.on("end", () => {
    if (from.rawTrailers.length > 0) to.addTrailers(headerPairs(from.rawTrailers));
    to.end();
  });
}
