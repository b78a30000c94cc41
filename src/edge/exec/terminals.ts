// Commands in Pods over WebSockets. The handshake goes through the routes like any request, with the
// same authentication, validation and errors; the route then upgrades it to a WebSocket.

import type { IncomingMessage, RequestListener } from "node:http";
import type { Duplex } from "node:stream";
import { Fault } from "../../domain/fault.ts";
import type { Execution } from "../../flows/pod/exec.ts";
import type { Upgrade, Upgrader } from "../http/listener.ts";
import { stripOrigin } from "../http/normalize-url.ts";
import { executionServer, serveExecution } from "../proxy/execution-socket.ts";
import { responseOn } from "../proxy/upgrade.ts";

const PATH = /^\/v1\/pods\/[^/?]+\/exec(?:\?|$)/;

const KEY_PROTOCOL = /(?:^|,)\s*bearer\.([^\s,]+)/;

export class Terminals implements Upgrader {
  readonly #pending = new WeakMap<
    IncomingMessage,
    { socket: Duplex; head: Buffer; free(): void }
  >();
  readonly #server = executionServer();
  routes: RequestListener = () => {};

  takesUpgrade(request: IncomingMessage): boolean {
    const { upgrade = "" } = request.headers;
    return upgrade.toLowerCase() === "websocket" && PATH.test(stripOrigin(request.url ?? ""));
  }

  upgrade({ request, socket, head }: Upgrade): void {
    const [, key] = KEY_PROTOCOL.exec(request.headers["sec-websocket-protocol"] ?? "") ?? [];
    if (key && !request.headers.authorization) request.headers.authorization = `Bearer ${key}`;
    const response = responseOn(request, socket);
    const free = () => response.detachSocket(socket as Parameters<typeof response.detachSocket>[0]);
    this.#pending.set(request, { socket, head, free });
    this.routes(request, response);
  }

  /** Throws a fault if the request cannot become a WebSocket. */
  check(request: IncomingMessage): void {
    if (!this.#pending.has(request)) throw new Fault("upgrade_required");
    const { origin, host } = request.headers;
    if (origin === undefined || hostOf(origin) === host) return;
    // A browser lets any page open a WebSocket to this service; only its own pages may.
    throw new Fault("forbidden", { detail: "Only a page of this service may open a terminal." });
  }

  /** Upgrades the connection to a WebSocket that carries the command's input and output. */
  open(request: IncomingMessage, execution: Execution, signal: AbortSignal): void {
    const { socket, head, free } = this.#pending.get(request)!;
    this.#pending.delete(request);
    free();
    serveExecution(this.#server, { request, socket, head }, execution, signal);
  }
}

function hostOf(origin: string): string | null {
  return URL.parse(origin)?.host ?? null;
}
