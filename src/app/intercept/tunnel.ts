// A tunnel to a host that is not intercepted, through the user's own proxy if there is one.

import http from "node:http";
import net, { type Socket } from "node:net";
import { pipeline } from "node:stream";

/** Answers a CONNECT on `socket` and joins both ends. */
export function openTunnel(host: URL, upstream: URL | null, socket: Socket, head: Buffer): void {
  if (upstream) tunnelThrough(upstream, host, socket, head);
  else tunnelTo(host, socket, head);
}

function tunnelTo(host: URL, socket: Socket, head: Buffer): void {
  const remote = net.connect(Number(host.port || 443), host.hostname.replace(/^\[|\]$/g, ""));
  remote.once("connect", () => {
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
    join(remote, socket, head);
  });
  remote.once("error", () => fail(socket));
}

function tunnelThrough(upstream: URL, host: URL, socket: Socket, head: Buffer): void {
  const authority = `${host.hostname}:${host.port || 443}`;
  const { username, password } = upstream;
  const login = decodeURIComponent(`${username}:${password}`);
  const request = http.request({
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
    join(remote, socket, head);
  });
  request.once("error", () => fail(socket));
  request.end();
}

function join(remote: Socket, socket: Socket, head: Buffer): void {
  if (head.length > 0) remote.write(head);
  pipeline(socket, remote, socket, () => {
    remote.destroy();
    socket.destroy();
  });
}

function fail(socket: Socket): void {
  socket.end("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n");
}
