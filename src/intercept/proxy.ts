// The HTTP proxy of `freehold intercept`: hosted addresses are answered by Freehold, everything else passes untouched.

import type http from "node:http";
import https from "node:https";
import type { AddressInfo, LookupFunction, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createSecureContext } from "node:tls";
import { createServer } from "../base/node/http.ts";
import { USUAL_BALANCER_DOMAIN } from "../edge/balancer/address.ts";
import type { Authority } from "./authority.ts";
import { forward, forwardUpgrade, type Target } from "./forward.ts";
import { type Destination, destinationOf } from "./hosts.ts";
import { openTunnel } from "./tunnel.ts";

export interface ProxyDeps {
  authority: Authority;
  /** Where Freehold listens, such as http://127.0.0.1:8700. */
  origin: string;
  /** The proxy that this process was itself configured with, for hosts that are not intercepted. */
  upstream: (host: string) => URL | null;
  /** The look-up of a host that is not intercepted. Throws if the host may not be reached. */
  lookup: (host: string) => LookupFunction;
  /** Called with a host that was refused. */
  onRefused: (host: string) => void;
}

/** The servers of a proxy, which listen nowhere yet. */
export interface ProxyServers {
  proxy: http.Server;
  /** Ends TLS without a CONNECT first. */
  tls: https.Server;
  /** Ends every open connection, tunnels included. */
  disconnect(): void;
}

export interface InterceptingProxy {
  /** Such as http://127.0.0.1:40123. */
  address: string;
  /** Ends TLS without a CONNECT first, for clients that cannot use a proxy. Such as 127.0.0.1:40124. */
  tlsAddress: string;
  close(): Promise<void>;
}

export function createProxyServers(deps: ProxyDeps): ProxyServers {
  const sockets = new Set<Duplex>();
  const terminators = { tls: createTerminator(deps), plain: createHostServer(deps) };
  const proxy = createServer((request, response) => answerProxied(deps, request, response));
  proxy.on("connect", (request: http.IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    connect(deps, terminators, { authority: request.url ?? "", socket, head });
  });
  for (const server of [proxy, terminators.tls]) {
    server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    });
  }
  return {
    proxy,
    tls: terminators.tls,
    disconnect: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Starts the proxy on free ports of the loopback address. */
export async function startInterceptingProxy(deps: ProxyDeps): Promise<InterceptingProxy> {
  const { proxy, tls, disconnect } = createProxyServers(deps);
  return {
    address: `http://${await listen(proxy)}`,
    tlsAddress: await listen(tls),
    async close() {
      const closed = [proxy, tls].map((server) => new Promise((resolve) => server.close(resolve)));
      disconnect();
      await Promise.all(closed);
    },
  };
}

async function listen(server: http.Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Terminators {
  tls: https.Server;
  plain: http.Server;
}

/** A `CONNECT host:port`. */
interface ConnectRequest {
  authority: string;
  socket: Socket;
  /** The first bytes for the host, which came with the request. */
  head: Buffer;
}

function connect(
  deps: ProxyDeps,
  terminators: Terminators,
  { authority, socket, head }: ConnectRequest,
): void {
  const url = parseAuthority(authority);
  const destination = url && destinationOf(url.hostname);
  if (!url || !destination) {
    socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
  } else if (destination.to === "elsewhere") {
    const target = { ...deps, host: url, upstream: deps.upstream(url.hostname) };
    openTunnel(target, socket, head);
  } else if (destination.to === "refused") {
    deps.onRefused(url.hostname);
    socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
  } else {
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (head.length > 0) socket.unshift(head);
    const server = url.port === "80" ? terminators.plain : terminators.tls;
    server.emit("connection", socket);
  }
}

/** Null unless it is a host with or without a port, which is then 443. The host is in its normal form. */
function parseAuthority(authority: string): URL | null {
  const url = URL.parse(`https://${authority}`);
  const isPlain = url && !url.username && !url.password && !/[/\\?#@]/.test(authority);
  return isPlain ? url : null;
}

/** Ends TLS for intercepted hosts, with a certificate for the name that the client asks for. */
function createTerminator(deps: ProxyDeps): https.Server {
  const server = https.createServer({
    SNICallback(host, done) {
      const known = isAnswered(destinationOf(host));
      done(null, known ? deps.authority.contextFor(host) : createSecureContext());
    },
  });
  return answerHosts(deps, server);
}

function createHostServer(deps: ProxyDeps): http.Server {
  return answerHosts(deps, createServer());
}

/** Answers requests by their Host header, once the proxy's client is connected to an intercepted host. */
function answerHosts<Server extends http.Server>(deps: ProxyDeps, server: Server): Server {
  server.on("request", (request: http.IncomingMessage, response: http.ServerResponse) => {
    const target = targetOf(deps, hostOf(request), request.url ?? "/");
    if (target) forward(target, request, response);
    else refuse(deps, hostOf(request), response);
  });
  server.on("upgrade", (request: http.IncomingMessage, socket: Duplex, head: Buffer) => {
    const target = targetOf(deps, hostOf(request), request.url ?? "/");
    if (target) forwardUpgrade(target, request, socket, head);
    else socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  server.on("tlsClientError", (_error, socket) => socket.destroy());
  return server;
}

/** A request in the proxy's absolute form, which clients use for plain HTTP. */
function answerProxied(
  deps: ProxyDeps,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): void {
  const url = URL.parse(request.url ?? "");
  if (url?.protocol !== "http:") {
    response.writeHead(400).end("This is a proxy: send CONNECT or an absolute http:// address.\n");
    return;
  }
  const path = url.pathname + url.search;
  const target = targetOf(deps, url.hostname, path);
  if (target) {
    forward(target, request, response);
  } else if (destinationOf(url.hostname).to === "refused") {
    refuse(deps, url.hostname, response);
  } else {
    const upstream = deps.upstream(url.hostname);
    const origin = upstream ?? new URL(url.origin);
    const passedOn = upstream ? url.href : path;
    forward({ origin, host: url.host, path: passedOn, lookup: deps.lookup }, request, response);
  }
}

function targetOf({ origin }: ProxyDeps, host: string, path: string): Target | null {
  const destination = destinationOf(host);
  const url = new URL(origin);
  const service = { origin: url, isService: true, path };
  if (destination.to === "api") return { ...service, host: url.host };
  if (destination.to !== "pod" && destination.to !== "endpoint") return null;
  const domain = destination.to === "pod" ? "proxy.localhost" : USUAL_BALANCER_DOMAIN;
  return { ...service, host: `${destination.label}.${domain}:${url.port || 80}` };
}

function isAnswered({ to }: Destination): boolean {
  return to === "api" || to === "pod" || to === "endpoint";
}

function hostOf(request: http.IncomingMessage): string {
  return (request.headers.host ?? "").replace(/:\d+$/, "");
}

function refuse(deps: ProxyDeps, host: string, response: http.ServerResponse): void {
  deps.onRefused(host);
  const detail = `${host} is an address of the hosted service that Freehold does not answer.`;
  response.writeHead(403, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: detail, code: "not_intercepted" }));
}
