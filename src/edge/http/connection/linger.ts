// Closing a connection whose client still sends a body. Closed at once, the connection is reset, and the client can lose the
// answer (RFC 9112, section 9.6). So only the sending side closes, and what arrives is dropped for a while.

import type { IncomingMessage } from "node:http";
import type { Clock } from "../../../base/clock.ts";

const MAX_LINGER_MS = 30_000;

/** Called when the request is answered and its body is not complete: delays the closing of its connection, if it is to be closed. */
export function linger(clock: Clock, request: IncomingMessage): void {
  const { socket } = request;
  const closeSoon = socket.destroySoon;
  request.once("end", () => {
    socket.destroySoon = closeSoon;
  });
  // Node's server calls it after an answer with "Connection: close".
  socket.destroySoon = () => {
    socket.end();
    const cancel = clock.after(MAX_LINGER_MS, () => void socket.destroy());
    socket.once("close", cancel);
    request.once("end", () => closeSoon.call(socket));
    request.resume();
  };
}
