// A tunnel to a host that is not intercepted, through the user's own proxy if there is one.

import net, { type LookupFunction, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { request as ask } from "../base/node/http.ts";
import { bareHost } from "../base/url-host.ts";
import { HelloGuard } from "./hello-guard.ts";

export interface TunnelTarget {
  host: URL;
  /** The proxy that leads there, if there is one. */
  upstream: URL | null;
  /** The look-up of a host. Throws if the host may not be reached. */
  lookup: (host: string) => LookupFunction;
  /** Called with a hosted name that the tunnel turns out to be for. */
  onRefused: (host: string) => void;
}

/** Answers a CONNECT on `socket` and joins both ends. */
export function openTunnel(
  { host, upstream, lookup, onRefused }: TunnelTarget,
  socket: Socket,
  head: Buffer,
): void {
  const name = bareHost(host.hostname);
  try {
    const options = { host: name, port: Number(host.port || 443), lookup: lookup(name) };
    const joinWith = (remote: Socket) => join(remote, socket, head, onRefused);
    if (upstream) tunnelThrough(upstream, host, socket, joinWith);
    else tunnelTo(net.connect(options), socket, joinWith);
  } catch {
    socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
  }
}

type Join = (remote: Socket) => void;

function tunnelTo(remote: Socket, socket: Socket, joinWith: Join): void {
  remote.once("connect", () => {
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    joinWith(remote);
  });
  remote.once("error", () => fail(socket));
}

function tunnelThrough(upstream: URL, host: URL, socket: Socket, joinWith: Join): void {
  const authority = `${host.hostname}:${host.port || 443}`;
  const { username, password } = upstream;
  const login = decodeURIComponent(`${username}:${password}`);
  const request = ask({
    host: upstream.hostname,
    port: upstream.port || 80,
    method: "CONNECT",
    path: authority,
    headers: {
      host: authority,
      ...(username && {
        "proxy-authorization": `Basic ${Buffer.from(login).toString("base64")}`,
      }),
    },
  });
  request.once("connect", ({ statusCode }, remote: Socket, remoteHead) => {
    if (statusCode !== 200) {
      remote.destroy();
      fail(socket);
      return;
    }
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (remoteHead.length > 0) socket.write(remoteHead);
    joinWith(remote);
  });
  request.once("error", () => fail(socket));
  request.end();
}

function join(
  remote: Socket,
  socket: Socket,
  head: Buffer,
  onRefused: (host: string) => void,
): void {
  if (head.length > 0) socket.unshift(head);
  pipeline(socket, new HelloGuard(onRefused), remote, socket, () => {
    remote.destroy();
    socket.destroy();
  });
}

function fail(socket: Socket): void {
  socket.end("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n");
}
