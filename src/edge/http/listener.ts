// A server of Node's as all of ours are, and its first look at a request, before there are routes:
// the proxy takes what is its own, whatever the path, and some connections become something else.

import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";
import { Fault } from "../../domain/fault.ts";
import { refuseExpectation, refuseOn, refuseSocket } from "./broken-http.ts";

/** Longer than any client keeps an idle connection, so that none is cut under a request. */
const KEEP_ALIVE_MS = 120_000;

/** A request whose connection is to become something else than HTTP. */
export interface Upgrade {
  request: IncomingMessage;
  socket: Duplex;
  /** What came behind the request. */
  head: Buffer;
}

export interface Upgrader {
  /** Whether the request is its own; one that nobody takes is answered as if it had not asked. */
  takesUpgrade(request: IncomingMessage): boolean;
  upgrade(upgrade: Upgrade): void;
}

export interface Answerer {
  takes(request: IncomingMessage): boolean;
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Whether an Origin header names a page that came from him: he speaks for nobody. */
  isPage(origin: string): boolean;
}

export interface Listeners {
  /** Who is asked before the routes are; they never see what he takes. */
  first: Answerer | null;
  upgraders: readonly Upgrader[];
}

export function listener(routes: RequestListener, { first, upgraders }: Listeners): Server {
  const upgraderOf = (request: IncomingMessage) =>
    upgraders.find((each) => each.takesUpgrade(request));
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    requireHostHeader: false, // Node would answer for us, and without a word
    shouldUpgradeCallback: (request) => upgraderOf(request) !== undefined,
  });
  server.requestTimeout = 0;
  server.on("request", (request, response) => {
    if (first?.takes(request)) first.handle(request, response);
    else routes(request, response);
  });
  server.on("checkContinue", (request, response) => {
    // The proxy leaves it to the Pod whether the body is wanted.
    if (first?.takes(request)) return first.handle(request, response);
    response.writeContinue();
    routes(request, response);
  });
  server.on("upgrade", (request, socket, head) => {
    const upgrader = upgraderOf(request);
    if (upgrader) return upgrader.upgrade({ request, socket, head });
    refuseOn(socket, new Fault("invalid_http", { detail: "this connection cannot be upgraded" }));
  });
  server.on("clientError", refuseSocket);
  server.on("checkExpectation", refuseExpectation);
  return server;
}
