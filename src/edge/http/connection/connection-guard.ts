// What every listener holds its connections to: how many one address may have, and how slowly a body
// may arrive.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../../../base/clock.ts";
import { Fault } from "../../../domain/fault.ts";
import { endWithFault } from "../socket-fault.ts";
import { BodyProgress, type BodyRate, isArriving } from "./body-progress.ts";
import { ConnectionLimit, type ConnectionLimits } from "./connection-limit.ts";

export interface ConnectionRules {
  connections: ConnectionLimits;
  bodies: BodyRate;
}

export class ConnectionGuard {
  readonly #clock: Clock;
  readonly #limit: ConnectionLimit;
  readonly #progress: BodyProgress;
  readonly #rules: ConnectionRules;

  constructor(clock: Clock, rules: ConnectionRules) {
    this.#clock = clock;
    this.#rules = rules;
    this.#limit = new ConnectionLimit(rules.connections);
    this.#progress = new BodyProgress(clock, rules.bodies);
  }

  /** Limits the connections of a server. A refused one is ended, and `isRefused` from then on. */
  attach(server: Server): void {
    server.on("connection", (socket: Socket) => {
      if (this.count(socket)) return;
      const { perAddress: limit } = this.#rules.connections;
      endWithFault(socket, new Fault("too_many_connections", { limit: limit ?? 0 }));
      socket.destroySoon();
    });
  }

  /** Counts a new connection for the limit until it closes; returns false if it is one too many. */
  count(socket: Socket): boolean {
    return this.#limit.count(socket);
  }

  /** Whether the request came on a connection that was closed for answers before it arrived. */
  isRefused({ socket }: IncomingMessage): boolean {
    return socket.writableEnded;
  }

  /** Ends the request's connection if its body arrives too slowly, and not before its client can have read the answer. */
  watchBody(request: IncomingMessage, response: ServerResponse): void {
    if (!isArriving(request)) return;
    this.#progress.watch(request, response);
    // Before Node's own listener, which closes the connection.
    response.prependOnceListener("finish", () => {
      if (!request.complete) linger(this.#clock, request);
    });
  }

  /** The connection has sent a valid key, over TLS or not. */
  identify(socket: Socket): void {
    this.#limit.identify(socket);
  }
}

const MAX_LINGER_MS = 30_000;

/**
 * Delays the closing of a connection whose client still sends a body; called when the request is answered. Closed at once,
 * the connection is reset, and the client can lose the answer (RFC 9112, section 9.6). So only the sending side closes, and
 * what arrives is dropped for a while.
 */
function linger(clock: Clock, request: IncomingMessage): void {
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
