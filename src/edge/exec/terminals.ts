// Commands in Pods over WebSockets. The handshake goes through the routes as any request does, so that
// keys, ids and refusals are the same there; only one that is granted becomes a WebSocket.

import type { IncomingMessage, RequestListener } from "node:http";
import type { Duplex } from "node:stream";
import { Fault } from "../../domain/fault.ts";
import type { Execution } from "../../flows/pod/exec.ts";
import type { Upgrade, Upgrader } from "../http/listener.ts";
import { responseOn } from "../proxy/upgrade.ts";
import { becomeExecution, executionServer } from "./session.ts";

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
    return upgrade.toLowerCase() === "websocket" && PATH.test(request.url ?? "");
  }

  upgrade({ request, socket, head }: Upgrade): void {
    const [, key] = KEY_PROTOCOL.exec(request.headers["sec-websocket-protocol"] ?? "") ?? [];
    if (key && !request.headers.authorization) request.headers.authorization = `Bearer ${key}`;
    const response = responseOn(request, socket);
    const free = () => response.detachSocket(socket as Parameters<typeof response.detachSocket>[0]);
    this.#pending.set(request, { socket, head, free });
    this.routes(request, response);
  }

  /** Throws the fault where the request is not one for a WebSocket of ours. */
  check(request: IncomingMessage): void {
    if (!this.#pending.has(request)) throw new Fault("upgrade_required");
    const { origin, host } = request.headers;
    if (origin === undefined || hostOf(origin) === host) return;
    // A browser asks any page's WebSockets for us, with the key that the page gives: not from elsewhere.
    throw new Fault("forbidden", { detail: "Only a page of this service may open a terminal." });
  }

  /** Makes it a WebSocket that is the command's input and output until one of them ends. */
  open(request: IncomingMessage, execution: Execution, gone: AbortSignal): void {
    const { socket, head, free } = this.#pending.get(request)!;
    this.#pending.delete(request);
    free();
    becomeExecution(this.#server, { request, socket, head }, execution, gone);
  }
}

function hostOf(origin: string): string | null {
  return URL.parse(origin)?.host ?? null;
}
