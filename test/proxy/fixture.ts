// The proxy in front of a simulated Pod: any server of this process, connected to like a container.

import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
} from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import type { TestContext } from "node:test";
import { systemClock } from "../../src/base/clock.ts";
import { readConnectionRules } from "../../src/config/network/connection-config.ts";
import { NotReached } from "../../src/domain/container/unreachable-port.ts";
import { connectTo } from "../../src/drivers/connection.ts";
import { ConnectionGuard } from "../../src/edge/http/connection/connection-guard.ts";
import { listener } from "../../src/edge/http/listener.ts";
import { plainHandlerOf } from "../../src/edge/http/routes/interceptors.ts";
import { PodProxy } from "../../src/edge/proxy/proxy.ts";
import type { PodConnection, Reach } from "../../src/flows/pod/reach.ts";

export const HOST = "pod-80.proxy.localhost";

export interface SimulatedPod {
  /** The proxy's port. */
  port: number;
  /** The number of connections to the Pod so far. */
  dialed(): number;
  /** Ends the container. */
  end(): void;
  /** The requests that the proxy passed to the service's own routes. */
  server: Server;
}

/** `pod` is null if no server listens. */
export async function startSimulatedPod(
  t: TestContext,
  pod: { port: number } | null,
): Promise<SimulatedPod> {
  const over = new AbortController();
  let dialed = 0;
  const podConnection: PodConnection = {
    podId: "pod",
    port: 80,
    over: over.signal,
    async dial() {
      dialed++;
      if (!pod) throw new NotReached("refused");
      return connectTo("127.0.0.1", pod.port, systemClock);
    },
  };
  const reach = {
    podConnection: () => podConnection,
    close: () => over.abort(),
  } as unknown as Reach;
  const write = (facts: object) => t.diagnostic(JSON.stringify(facts));
  const log = { info: write, warn: write, error: write };
  const proxy = new PodProxy({ reach, domain: null, chosenKey: null, log });
  const server = listener((_request, response) => response.end("the service itself"), {
    interceptor: proxy,
    plain: [plainHandlerOf(proxy)],
    upgraders: [proxy],
    localTrust: { note() {} },
    guard: new ConnectionGuard(
      systemClock,
      readConnectionRules(() => null, []),
    ),
  });
  const port = await listening(t, server);
  t.after(() => proxy.close());
  return { port, dialed: () => dialed, end: () => over.abort(), server };
}

/** An HTTP server as the Pod. */
export async function podOf(t: TestContext, answer: RequestListener) {
  const server = createServer(answer);
  return { server, port: await listening(t, server) };
}

/** A server that writes arbitrary bytes. */
export async function rawPodOf(t: TestContext, speak: (socket: Socket) => void) {
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    speak(socket);
  });
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  const port = await listening(t, server);
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  return { server, port };
}

async function listening(t: TestContext, server: Server | ReturnType<typeof createTcpServer>) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** The head of a request to the Pod. */
export const headOf = (more = "") => `GET /path?q=1 HTTP/1.1\r\nHost: ${HOST}\r\n${more}\r\n`;

interface Options {
  method?: string;
  path?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
}

/** Calls the Pod through the proxy, and reads the response to its end. */
export async function ask(
  port: number,
  { method = "GET", path = "/", headers = {}, body }: Options = {},
) {
  const sent = { host: HOST, ...headers };
  const outgoing = request({ port, host: "127.0.0.1", method, path, headers: sent }).end(body);
  const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
  return { answer, text: await textOf(answer) };
}

export async function textOf(message: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of message.setEncoding("latin1")) text += piece;
  return text;
}

/** A client that writes and reads bytes. */
export class RawClient {
  readonly socket: Socket;
  #heard = "";
  #waiting = new Set<() => void>();

  constructor(t: TestContext, port: number) {
    this.socket = connect({ host: "127.0.0.1", port });
    this.socket.setEncoding("latin1");
    this.socket.on("error", () => {});
    const look = () => {
      for (const waiting of this.#waiting) waiting();
    };
    this.socket.on("data", (piece) => {
      this.#heard += piece;
      look();
    });
    this.socket.on("close", look);
    t.after(() => this.socket.destroy());
  }

  get heard(): string {
    return this.#heard;
  }

  say(text: string): this {
    this.socket.write(text, "latin1");
    return this;
  }

  /** Resolves with everything received once the condition holds. */
  async until(holds: (heard: string) => boolean): Promise<string> {
    while (!holds(this.#heard)) {
      if (this.socket.destroyed) throw new Error(`cut off after ${JSON.stringify(this.#heard)}`);
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
    }
    return this.#heard;
  }

  async closed(): Promise<string> {
    if (!this.socket.closed) await once(this.socket, "close");
    return this.#heard;
  }
}
