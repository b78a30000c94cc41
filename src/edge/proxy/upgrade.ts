// A connection that is to become something else than HTTP, a WebSocket for one: once the Pod agrees,
// the bytes are passed on as they are.

import { request as ask, type IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Unreached } from "../../domain/pod/unreached.ts";
import type { Upgrade } from "../http/listener.ts";
import { passBack } from "./forward.ts";
import { requestHeaders, responseHeaders } from "./headers.ts";
import type { Lane } from "./lane.ts";
import { passThrough } from "./pass-through.ts";
import type { Visit } from "./visit.ts";
import { whyOf } from "./why-of.ts";

export function passUpgrade(
  lane: Lane,
  visit: Visit,
  { request, socket, head }: Upgrade,
  refuse: (why: Unreached) => void,
): void {
  const headers = requestHeaders(request.rawHeaders, visit, request.headers.upgrade);
  const passed = ask({ agent: lane.fresh, method: request.method!, path: visit.path, headers });
  const gone = () => passed.destroy();
  socket.once("close", gone);
  socket.on("error", gone);
  let answered = false;
  passed.on("upgrade", (answer: IncomingMessage, connection: Duplex, begun: Buffer) => {
    answered = true;
    if (socket.destroyed) return void connection.destroy();
    socket.write(headOf(answer, visit), "latin1");
    if (begun.length > 0) socket.write(begun);
    if (head.length > 0) connection.write(head);
    passThrough(socket, connection);
  });
  passed.on("response", (answer) => {
    answered = true;
    passBack(answer, visit, responseOn(request, socket));
  });
  passed.on("error", (error) => {
    if (!answered && !socket.destroyed) refuse(whyOf(error));
  });
  passed.end();
}

/** For an answer that leaves the connection as it is; it ends with it. */
export function responseOn(request: IncomingMessage, socket: Duplex): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  // It is a socket of Node's server, whatever its type says.
  response.assignSocket(socket as Parameters<typeof response.assignSocket>[0]);
  response.once("finish", () => {
    response.detachSocket(socket as Parameters<typeof response.detachSocket>[0]);
    socket.end();
  });
  return response;
}

function headOf(answer: IncomingMessage, visit: Visit): string {
  const headers = responseHeaders(answer.rawHeaders, visit);
  headers.push("Connection", "Upgrade", "Upgrade", answer.headers.upgrade ?? "");
  let text = `HTTP/1.1 101 ${answer.statusMessage}\r\n`;
  for (let n = 0; n < headers.length; n += 2) text += `${headers[n]}: ${headers[n + 1]}\r\n`;
  return `${text}\r\n`;
}
