// Forwarding a request to a Pod and its response back, streamed with back pressure in both directions
// and without timeouts. If one side disconnects, the other is closed.

import {
  request as ask,
  type IncomingMessage,
  type OutgoingMessage,
  type ServerResponse,
} from "node:http";
import type { Unreached } from "../../domain/pod/container/unreachable-port.ts";
import type { ConnectionPool } from "./connection/connection-pool.ts";
import type { OutgoingRequest } from "./connection/http-connection.ts";
import { failureReason } from "./failure-reason.ts";
import { headerPairs, requestHeaders, responseHeaders } from "./headers.ts";
import { relayInterim } from "./interim-response.ts";
import type { ProxyRequest } from "./proxy-request.ts";
import { forwardRepeatable } from "./retry-forward.ts";

/** Methods that are safe to send twice. */
const REPEATABLE = new Set(["GET", "HEAD", "OPTIONS"]);

/** Methods for which Node does not assume a body. */
const USUALLY_WITHOUT_BODY = new Set([...REPEATABLE, "DELETE", "TRACE"]);

type Refuse = (why: Unreached) => void;

export function forward(
  pool: ConnectionPool,
  target: ProxyRequest,
  request: IncomingMessage,
  response: ServerResponse,
  refuse: Refuse,
): void {
  const { rawHeaders } = request;
  const method = request.method!;
  const withBody = hasBody(request);
  const headers = requestHeaders(rawHeaders, target);
  if (!withBody && !USUALLY_WITHOUT_BODY.has(method) && !hasLength(request)) {
    headers.push("Content-Length", "0");
  }
  const outgoing = { method, path: target.path, headers };
  const sendDirectly = () => forwardDirectly(pool, outgoing, target, request, response, refuse);
  if (isRepeatable(request) && isPlain(request, target)) {
    forwardRepeatable(pool.idle, outgoing, target, response, refuse, sendDirectly);
  } else {
    sendDirectly();
  }
}

/** Whether a request can be sent again after it failed without an answer. */
export const isRepeatable = (request: IncomingMessage) =>
  REPEATABLE.has(request.method!) && !hasBody(request);

/** Whether the client of idle connections can send the request. */
const isPlain = ({ headers: { host, expect } }: IncomingMessage, { path }: ProxyRequest) =>
  host !== undefined && expect === undefined && path.startsWith("/");

/** Forwards the request on a new connection. */
function forwardDirectly(
  pool: ConnectionPool,
  outgoing: OutgoingRequest,
  target: ProxyRequest,
  request: IncomingMessage,
  response: ServerResponse,
  refuse: Refuse,
): void {
  const withBody = hasBody(request);
  let hasResponse = false;
  const podRequest = ask({ agent: pool.agent, ...outgoing });
  podRequest.on("response", (podResponse) => {
    hasResponse = true;
    relayResponse(podResponse, target, response);
  });
  podRequest.on("information", (interim) =>
    relayInterim(interim.statusCode, interim.rawHeaders, response),
  );
  podRequest.on("error", (error: NodeJS.ErrnoException) => {
    // Drain the request; its rest would precede the next request on the connection.
    if (withBody) request.removeAllListeners("data").resume();
    if (!hasResponse && !response.destroyed) refuse(failureReason(error));
  });
  response.once("close", () => {
    if (!response.writableFinished) podRequest.destroy();
  });
  if (withBody) relayBody(request, podRequest);
  else podRequest.end();
}

/** Relays a response, also one that declines an upgrade. */
export function relayResponse(
  podResponse: IncomingMessage,
  target: ProxyRequest,
  response: ServerResponse,
): void {
  if (response.destroyed) return void podResponse.destroy();
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

function relayBody(from: IncomingMessage, to: OutgoingMessage): void {
  from.on("data", (piece) => {
    if (!to.write(piece)) from.pause();
  });
  to.on("drain", () => from.resume());
  from.on("end", () => {
    if (from.rawTrailers.length > 0) to.addTrailers(headerPairs(from.rawTrailers));
    to.end();
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

const hasLength = ({ headers }: IncomingMessage) => headers["content-length"] !== undefined;
