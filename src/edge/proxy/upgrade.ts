// Forwarding an upgrade, such as a WebSocket: after the Pod agrees, bytes are piped in both directions.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { guarded } from "../../base/guarded.ts";
import { request as ask, ServerResponse } from "../../base/node/http.ts";
import type { Unreached } from "../../domain/container/unreachable-port.ts";
import type { Upgrade } from "../http/listener.ts";
import type { ConnectionPool } from "./connection/connection-pool.ts";
import { failureReason } from "./forward/failure-reason.ts";
import { relayResponse } from "./forward/node-relay.ts";
import { requestHeaders, responseHeaders } from "./headers.ts";
import { pipeBoth } from "./pipe.ts";
import type { ProxyRequest } from "./proxy-request.ts";

export function forwardUpgrade(
  pool: ConnectionPool,
  target: ProxyRequest,
  { request, socket, head }: Upgrade,
  refuse: (why: Unreached) => void,
): void {
  const headers = requestHeaders(request.rawHeaders, target, request.headers.upgrade);
  const podRequest = ask({
    agent: pool.agent,
    method: request.method!,
    path: target.path,
    headers,
  });
  const abort = () => podRequest.destroy();
  socket.once("close", abort);
  socket.on("error", abort);
  let hasResponse = false;
  podRequest.on(
    "upgrade",
    guarded(
      "a Pod's response",
      (podResponse: IncomingMessage, connection: Duplex, begun: Buffer) => {
        hasResponse = true;
        if (socket.destroyed) return void connection.destroy();
        target.onHead?.(101);
        socket.write(headOf(podResponse, target), "latin1");
        if (begun.length > 0) socket.write(begun);
        if (head.length > 0) connection.write(head);
        pipeBoth(socket, connection);
      },
      () => socket.destroy(),
    ),
  );
  podRequest.on(
    "response",
    guarded(
      "a Pod's response",
      (podResponse) => {
        hasResponse = true;
        relayResponse(podResponse, target, responseOn(request, socket));
      },
      () => socket.destroy(),
    ),
  );
  podRequest.on("error", (error) => {
    if (!hasResponse && !socket.destroyed) refuse(failureReason(error));
  });
  podRequest.end();
}

/** A response on a raw socket, which is closed after it. */
export function responseOn(request: IncomingMessage, socket: Duplex): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  // The Duplex is a socket of Node's server, whatever its type says.
  response.assignSocket(socket as Parameters<typeof response.assignSocket>[0]);
  response.once("finish", () => {
    response.detachSocket(socket as Parameters<typeof response.detachSocket>[0]);
    socket.end();
  });
  return response;
}

function headOf(podResponse: IncomingMessage, target: ProxyRequest): string {
  const headers = responseHeaders(podResponse.rawHeaders, target);
  headers.push("Connection", "Upgrade", "Upgrade", podResponse.headers.upgrade ?? "");
  let text = `HTTP/1.1 101 ${podResponse.statusMessage}\r\n`;
  for (let n = 0; n < headers.length; n += 2) text += `${headers[n]}: ${headers[n + 1]}\r\n`;
  return `${text}\r\n`;
}
