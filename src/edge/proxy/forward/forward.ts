// Forwarding a request to a Pod and its response back, streamed with back pressure in both directions
// and without timeouts. If one side disconnects, the other is closed.

import type { ClientRequest } from "node:http";
import { request as ask } from "../../../base/node/http.ts";
import { mayHaveArrived, type Unreached } from "../../../domain/container/unreachable-port.ts";
import type { InboundRequest, ResponseWriter } from "../../http/plain/exchange.ts";
import type { ConnectionPool } from "../connection/connection-pool.ts";
import { RequestBody } from "../connection/request-body.ts";
import { requestHeaders } from "../headers.ts";
import type { ProxyRequest } from "../proxy-request.ts";
import { relayAnswer, relayBody } from "./node-relay.ts";
import { forwardReusing } from "./reusing-forward.ts";

/** Methods that are safe to send twice. */
const REPEATABLE = new Set(["GET", "HEAD", "OPTIONS"]);

/** Methods for which Node does not assume a body. */
const USUALLY_WITHOUT_BODY = new Set([...REPEATABLE, "DELETE", "TRACE"]);

type Refuse = (why: Unreached) => void;

export function forward(
  pool: ConnectionPool,
  target: ProxyRequest,
  request: InboundRequest,
  response: ResponseWriter,
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
  if (!isPlain(request)) {
    // On a new connection, with Node's client.
    const podRequest = ask({ agent: pool.agent, ...outgoing });
    relayAnswer(podRequest, target, response, refuse);
    sendBody(request, podRequest, withBody);
    return;
  }
  const body = withBody ? new RequestBody(request) : null;
  forwardReusing(pool.idle, {
    outgoing,
    body,
    isRepeatable: isRepeatable(method, withBody),
    target,
    response,
    refuse,
  });
}

/** Whether a request that failed without an answer can be sent again: nothing of it was sent, or it does no harm. */
export const canSendAgain = (request: InboundRequest, why: Unreached) =>
  isRepeatable(request.method!, hasBody(request)) || (isPlain(request) && !mayHaveArrived(why));

const isRepeatable = (method: string, withBody: boolean) => !withBody && REPEATABLE.has(method);

/** Whether the request can be sent on a connection that is reused. */
const isPlain = ({ url, headers: { host, expect } }: InboundRequest) =>
  host !== undefined && expect === undefined && url !== "*";

function sendBody(request: InboundRequest, podRequest: ClientRequest, withBody: boolean): void {
  if (!withBody) return void podRequest.end();
  // Drain the request; its rest would precede the next request on the connection.
  podRequest.on("error", () => request.resume());
  relayBody(request, podRequest);
}

function hasBody({ headers }: InboundRequest): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

const hasLength = ({ headers }: InboundRequest) => headers["content-length"] !== undefined;
