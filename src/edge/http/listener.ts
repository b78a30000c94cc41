// The HTTP server that every listener uses. Before routing, it hands a request to the interceptor (the
// Pod proxy) or to an upgrader, whatever its path.

import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { systemClock } from "../../base/clock.ts";
import { guarded } from "../../base/guarded.ts";
import { createServer } from "../../base/node/http.ts";
import { Fault } from "../../domain/fault.ts";
import type { LocalTrust } from "../../flows/local-trust.ts";
import type { ConnectionGuard } from "./connection/connection-guard.ts";
import type { InboundRequest, ResponseWriter } from "./plain/exchange.ts";
import { PlainConnections } from "./plain/plain-connections.ts";
import {
  endWithFault,
  failRequest,
  hostFault,
  refuseRequest,
  sendExpectationFault,
  sendParseFault,
} from "./socket-fault.ts";
import {
  type CertificateSource,
  isOwnMachine,
  serveTls,
  type TlsEntrance,
} from "./tls/tls-entrance.ts";

/** Longer than clients keep an idle connection, so that the server never closes one during a request. */
const KEEP_ALIVE_MS = 120_000;

/** A request to upgrade its connection to another protocol. */
export interface Upgrade {
  request: IncomingMessage;
  socket: Duplex;
  /** The bytes after the request. */
  head: Buffer;
}

export interface Upgrader {
  /** Whether it handles the request. A request without an upgrader is answered without an upgrade. */
  takesUpgrade(request: IncomingMessage): boolean;
  upgrade(upgrade: Upgrade): void;
}

export interface RequestInterceptor {
  takes(request: InboundRequest): boolean;
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Whether an Origin header names a page of a Pod, which may not call this service. */
  isPage(origin: string): boolean;
}

/** An interceptor that does not depend on Node's objects. */
export interface PlainInterceptor extends RequestInterceptor {
  handle(request: InboundRequest, response: ResponseWriter): void;
}

/** Handles a plain request; false, without a response, if it is for others. */
export type PlainHandler = (request: InboundRequest, respond: () => ResponseWriter) => boolean;

export interface Listeners {
  /** Sees every request first; the routes get only the requests that it does not take. */
  interceptor: RequestInterceptor | null;
  /** They see the plain requests of a connection before Node's server does: the first that is for one handles it. */
  plain?: readonly PlainHandler[];
  upgraders: readonly Upgrader[];
  guard: ConnectionGuard;
  /** Sees the headers of every request of a listener that clients reach. */
  localTrust: Pick<LocalTrust, "note">;
  /** The certificate of a listener that clients reach; without it, the listener speaks plain http. */
  tls?: CertificateSource | null;
}

export function listener(
  routes: RequestListener,
  { interceptor, plain, upgraders, guard, localTrust, tls }: Listeners,
): Server {
  const upgraderOf = (request: IncomingMessage) =>
    upgraders.find((each) => each.takesUpgrade(request));
  const server = newServer((request) => upgraderOf(request) !== undefined);
  if (plain) readPlainRequests(server, plain, localTrust);
  if (tls) serveTls(server, tls, entranceFor(guard));
  else guard.attach(server);
  const route: RequestListener = (request, response) => {
    guard.watchBody(request, response);
    routes(request, response);
  };
  /** Whether the request may go on; otherwise it is answered. */
  const accept: (...request: Parameters<RequestListener>) => boolean = (request, response) => {
    if (guard.isRefused(request)) return false;
    localTrust.note(request.headers);
    const fault = hostFault(request);
    if (fault) refuseRequest(response, fault);
    return fault === null;
  };
  server.on(
    "request",
    guarded(
      "a request",
      (request, response) => {
        if (!accept(request, response)) return;
        if (interceptor?.takes(request)) interceptor.handle(request, response);
        else route(request, response);
      },
      failRequest,
    ),
  );
  server.on(
    "checkContinue",
    guarded(
      "a request",
      (request, response) => {
        if (!accept(request, response)) return;
        // The proxy lets the Pod decide whether to continue.
        if (interceptor?.takes(request)) return interceptor.handle(request, response);
        response.writeContinue();
        route(request, response);
      },
      failRequest,
    ),
  );
  server.on(
    "upgrade",
    guarded(
      "a request",
      (request, socket, head) => {
        if (guard.isRefused(request)) return;
        localTrust.note(request.headers);
        const fault = hostFault(request);
        if (fault) return endWithFault(socket, fault);
        const upgrader = upgraderOf(request);
        if (upgrader) return upgrader.upgrade({ request, socket, head });
        endWithFault(
          socket,
          new Fault("invalid_http", { detail: "this connection cannot be upgraded" }),
        );
      },
      (_request, socket, _head) => void socket.destroy(),
    ),
  );
  server.on("clientError", sendParseFault);
  server.on("checkExpectation", sendExpectationFault);
  return server;
}

function entranceFor(guard: ConnectionGuard): TlsEntrance {
  const admits = (socket: Socket) => guard.count(socket);
  return { admits, allowsPlain: isOwnMachine, clock: systemClock };
}

function newServer(isUpgrade: (request: IncomingMessage) => boolean): Server {
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    requireHostHeader: false, // Node would send an empty response
    shouldUpgradeCallback: isUpgrade,
  });
  // The guard limits the rate of a body instead of the duration of a request.
  server.requestTimeout = 0;
  return server;
}

/** Handles plain requests without Node's server, which gets a connection with its first other request. */
function readPlainRequests(
  server: Server,
  handlers: readonly PlainHandler[],
  localTrust: Listeners["localTrust"],
): void {
  const [nodeListener] = server.listeners("connection") as [(socket: Socket) => void];
  const connections = new PlainConnections({
    clock: systemClock,
    keepAliveS: KEEP_ALIVE_MS / 1_000,
    isClosing: () => !server.listening,
    handOver: (socket) => nodeListener.call(server, socket),
    handle(request, respond) {
      const begin = () => {
        localTrust.note(request.headers);
        return respond();
      };
      return handlers.some((handle) => handle(request, begin));
    },
  });
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => connections.accept(socket));
  const { closeIdleConnections, closeAllConnections } = server;
  server.closeIdleConnections = () => {
    connections.closeIdle();
    closeIdleConnections.call(server);
  };
  server.closeAllConnections = () => {
    connections.closeAll();
    closeAllConnections.call(server);
  };
}
