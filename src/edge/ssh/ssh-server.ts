// The SSH server: connections to Pods, on a listener of its own. The protocol's library is loaded with
// the first connection.

import { createServer, type Server, type Socket } from "node:net";
import type { ClientInfo, Server as ProtocolServer } from "ssh2";
import { ConnectionLimit, type ConnectionLimits } from "../http/connection/connection-limit.ts";
import type { SshConnectionDeps, SshSocket } from "./ssh-connection.ts";

export interface SshServerDeps extends SshConnectionDeps {
  /** In OpenSSH's format. */
  hostKey: string;
  connections: ConnectionLimits;
}

export interface SshServer extends Server {
  closeAllConnections(): void;
}

/** A connection that is not authenticated by then is cut, also one that sends nothing. */
const AUTHENTICATION_MS = 30_000;
/** One that is authenticated lives as long as its client answers. */
const KEEPALIVE_MS = 30_000;
const KEEPALIVES = 4;

/** Connections that are not authenticated are limited by address. */
export function sshServer(deps: SshServerDeps): SshServer {
  const limit = new ConnectionLimit(deps.connections);
  const sockets = new Map<string, Socket>();
  const deadlines = new WeakMap<Socket, () => void>();
  const socketOf = ({ ip, port }: ClientInfo): SshSocket => {
    const socket = sockets.get(nameOf(ip, port));
    return {
      address: ip,
      identify() {
        if (!socket) return;
        limit.identify(socket);
        deadlines.get(socket)?.();
      },
      cut: () => void socket?.destroy(),
    };
  };
  let protocol: Promise<ProtocolServer> | null = null;
  const server = createServer((socket) => {
    socket.on("error", () => {}); // a close event follows
    if (!limit.count(socket)) return socket.destroy();
    const name = nameOf(socket.remoteAddress, socket.remotePort);
    sockets.set(name, socket);
    const cancel = deps.clock.after(AUTHENTICATION_MS, () => socket.destroy());
    deadlines.set(socket, cancel);
    socket.once("close", () => {
      sockets.delete(name);
      cancel();
    });
    protocol ??= loadProtocol(deps, socketOf);
    protocol.then(
      (ssh) => ssh.injectSocket(socket),
      (error) => {
        deps.log.error({ err: error }, "the SSH server could not be loaded");
        socket.destroy();
      },
    );
  });
  return Object.assign(server, {
    closeAllConnections() {
      for (const socket of sockets.values()) socket.destroy();
    },
  });
}

const nameOf = (ip = "", port = 0) => `${ip} ${port}`;

async function loadProtocol(
  { hostKey, connections: _, ...deps }: SshServerDeps,
  socketOf: (client: ClientInfo) => SshSocket,
): Promise<ProtocolServer> {
  const [{ default: ssh2 }, { SshConnection }] = await Promise.all([
    import("ssh2"),
    import("./ssh-connection.ts"),
  ]);
  const options = { hostKeys: [hostKey], ident: "Freehold" };
  const keepalive = { keepaliveInterval: KEEPALIVE_MS, keepaliveCountMax: KEEPALIVES };
  return new ssh2.Server({ ...options, ...keepalive }, (client, info) => {
    new SshConnection(deps, client, socketOf(info));
  });
}
