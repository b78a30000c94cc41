// Error responses on a socket without a parsed request: invalid HTTP, timeouts, refused upgrades. They
// are written by hand, in the form of every other error response.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { STATUS_CODES } from "../../base/node/http.ts";
import { Fault } from "../../domain/fault.ts";
import { faultBody } from "./faults.ts";
import { JSON_HEADERS } from "./json-headers.ts";

export function sendParseFault(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  endWithFault(socket, faultOf(error));
}

/** Ends a connection with an error response, when Node has no response object for it. */
export function endWithFault(
  socket: Duplex,
  fault: Fault,
  extraHeaders: Readonly<Record<string, string>> = {},
): void {
  if (socket.destroyed || socket.writableEnded) return;
  const { body, headers } = rawResponse(fault);
  const lines = Object.entries({ ...headers, ...extraHeaders }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const status = `${fault.status} ${STATUS_CODES[fault.status]}`;
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`);
}

/** Node passes a request whose Expect is not 100-continue to this listener, before any hook. */
export function sendExpectationFault(_request: IncomingMessage, response: ServerResponse): void {
  const detail = 'the only supported "Expect" is 100-continue';
  refuseRequest(response, new Fault("invalid_http", { detail }));
}

function rawResponse(fault: Fault) {
  const body = JSON.stringify(faultBody(fault));
  const length = String(Buffer.byteLength(body));
  const headers = { ...JSON_HEADERS, "content-type": "application/json", "content-length": length };
  return { body, headers: { ...headers, connection: "close" } };
}

/** Answers a request that must not reach a route. Its connection ends. */
export function refuseRequest(response: ServerResponse, fault: Fault): void {
  const { body, headers } = rawResponse(fault);
  response.writeHead(fault.status, headers).end(body);
}

/** Answers a request whose handler threw, or closes its connection if the answer has begun. */
export function failRequest(_request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else refuseRequest(response, handlerFault());
}

/** What the handler threw is in the log, without the request. */
export const handlerFault = () => new Fault("internal", { ref: "a failed handler" });

/** The fault of a request with several Host headers: a proxy in front may have read another one. */
export function hostFault({ rawHeaders }: IncomingMessage): Fault | null {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  return hosts > 1 ? new Fault("invalid_http", { detail: `it has ${hosts} Host headers` }) : null;
}

export function missingHostFault(): Fault {
  return new Fault("invalid_http", { detail: "it has no Host header" });
}

function faultOf(error: Error & { code?: string; reason?: string }): Fault {
  if (error.code === "HPE_HEADER_OVERFLOW") return new Fault("headers_too_large");
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return new Fault("request_timeout");
  return new Fault("invalid_http", { detail: error.reason ?? "it cannot be parsed" });
}
