// One HTTP request, or one upgrade, passed on to another server. Bodies stream both ways.

import type http from "node:http";
import type { LookupFunction } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream";
import { Agent, request as ask } from "../base/node/http.ts";
import { bareHost } from "../base/url-host.ts";
import { withoutHopByHop } from "../edge/proxy/headers.ts";
import { isForwarding } from "../flows/local-trust.ts";

export interface Target {
  /** The server that receives the request. */
  origin: URL;
  /** The Host header it receives. */
  host: string;
  path: string;
  /** Whether it is Freehold, which takes forwarding headers for those of a reverse proxy before it. */
  isService?: boolean;
  /** The look-up of the server's name. Throws if the server may not be reached. */
  lookup?: (host: string) => LookupFunction;
}

const agent = new Agent({ keepAlive: true, timeout: 60_000 });

export function forward(
  target: Target,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): void {
  const options = optionsOf(target, request);
  if (!options) {
    const detail = `${target.origin.host} may not be reached through this proxy.`;
    response.writeHead(403, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: detail, code: "not_reachable" }));
    return;
  }
  const outgoing = ask({ ...options, agent });
  outgoing.on("response", (incoming) => {
    response.writeHead(incoming.statusCode ?? 502, withoutHopByHop(incoming.rawHeaders));
    pipeline(incoming, response, () => outgoing.destroy());
  });
  outgoing.on("error", (error) => unreachable(target, error, response));
  response.on("close", () => outgoing.destroy());
  pipeline(request, outgoing, () => undefined);
}

/** Passes on an upgrade, such as that of a WebSocket. */
export function forwardUpgrade(
  target: Target,
  request: http.IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const options = optionsOf(target, request);
  if (!options) return void socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  const { upgrade = "websocket" } = request.headers;
  const headers = [...options.headers, "connection", "upgrade", "upgrade", upgrade];
  const outgoing = ask({ ...options, headers, agent: false });
  outgoing.on("upgrade", (incoming, upstream, upstreamHead) => {
    socket.write(statusLines({ ...statusOf(incoming), rawHeaders: incoming.rawHeaders }));
    if (upstreamHead.length > 0) socket.write(upstreamHead);
    if (head.length > 0) upstream.write(head);
    pipeline(socket, upstream, socket, () => undefined);
  });
  outgoing.on("response", (incoming) => {
    // Its body has lost its framing, so it ends with the connection.
    const passed = withoutHeaders(
      withoutHopByHop(incoming.rawHeaders),
      (name) => name === "transfer-encoding",
    );
    const rawHeaders = [...passed, "connection", "close"];
    socket.write(statusLines({ ...statusOf(incoming), rawHeaders }));
    pipeline(incoming, socket, () => undefined);
  });
  outgoing.on("error", () => socket.destroy());
  socket.on("error", () => outgoing.destroy());
  outgoing.end();
}

/** Null if the look-up refuses the server. */
function optionsOf(
  { origin, host, path, isService, lookup }: Target,
  { method, rawHeaders }: http.IncomingMessage,
) {
  const server = bareHost(origin.hostname);
  let look: LookupFunction | undefined;
  try {
    look = lookup?.(server);
  } catch {
    return null;
  }
  const headers = withoutHeaders(
    withoutHopByHop(rawHeaders),
    (name) => name === "host" || (isService === true && isForwarding(name)),
  );
  return {
    host: server,
    ...(look && { lookup: look }),
    port: origin.port || 80,
    method,
    path,
    headers: ["host", host, ...headers],
  };
}

/** Names and values alternate. */
function withoutHeaders(rawHeaders: string[], isLeftOut: (name: string) => boolean): string[] {
  return rawHeaders.filter((_, n) => !isLeftOut(rawHeaders[n - (n % 2)]!.toLowerCase()));
}

const statusOf = ({ statusCode, statusMessage }: http.IncomingMessage) => ({
  statusCode,
  statusMessage,
});

function statusLines({
  statusCode,
  statusMessage,
  rawHeaders,
}: Pick<http.IncomingMessage, "statusCode" | "statusMessage" | "rawHeaders">): string {
  const headers = rawHeaders.map((text, index) => (index % 2 ? `${text}\r\n` : `${text}: `));
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${headers.join("")}\r\n`;
}

function unreachable({ origin }: Target, error: Error, response: http.ServerResponse): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const detail = `${origin.host} does not answer: ${error.message}`;
  response.writeHead(502, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: detail, code: "unreachable" }));
}
