// What a socket is told that does not speak HTTP, or not in time. No request was read, so there is
// none to answer: the refusal is written by hand, in the same form as every other one.

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Fault } from "../../domain/fault.ts";
import { faultBody } from "./faults.ts";

export function refuseSocket(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  refuseOn(socket, faultOf(error));
}

/** Ends a connection with a refusal, where there is nothing of Node's to write it with. */
export function refuseOn(
  socket: Duplex,
  fault: Fault,
  more: Readonly<Record<string, string>> = {},
): void {
  if (socket.destroyed) return;
  const { body, headers } = spelled(fault);
  const lines = Object.entries({ ...headers, ...more }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const status = `${fault.status} ${STATUS_CODES[fault.status]}`;
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`);
}

/** Node hands over requests that expect something else than 100-continue before any hook. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const detail = 'the only "Expect" that can be met is 100-continue';
  const fault = new Fault("invalid_http", { detail });
  const { body, headers } = spelled(fault);
  response.writeHead(fault.status, headers).end(body);
}

function spelled(fault: Fault) {
  const body = JSON.stringify(faultBody(fault));
  const length = String(Buffer.byteLength(body));
  const headers = { "content-type": "application/json", "content-length": length };
  return { body, headers: { ...headers, connection: "close" } };
}

export function noHost(): Fault {
  return new Fault("invalid_http", { detail: "it has no Host header" });
}

function faultOf(error: Error & { code?: string; reason?: string }): Fault {
  if (error.code === "HPE_HEADER_OVERFLOW") return new Fault("headers_too_large");
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return new Fault("request_timeout");
  return new Fault("invalid_http", { detail: error.reason ?? "it cannot be parsed" });
}
