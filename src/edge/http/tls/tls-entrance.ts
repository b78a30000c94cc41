// TLS on a listener's port. A connection that begins with a TLS handshake is served over TLS. Plain http is served to
// this machine itself, where it crosses no network, and refused to others.

import type { Server } from "node:http";
import type { Socket } from "node:net";
import { createServer, type SecureContextOptions, type TLSSocket } from "node:tls";
import type { Clock } from "../../../base/clock.ts";
import { isLoopback } from "../connection/network.ts";
import { plainRefusal } from "./plain-refusal.ts";

/** PEM texts: the certificate with its chain, and the key. */
export interface CertificatePair {
  cert: string;
  key: string;
}

export interface CertificateSource {
  pair(): CertificatePair;
  /** Calls back with each new pair. */
  onChange(listener: (pair: CertificatePair) => void): void;
}

/** The first byte of a TLS handshake. No HTTP method begins with it. */
const HANDSHAKE = 0x16;
/** Browsers open connections before they need them. */
const FIRST_BYTE_MS = 60_000;
const HANDSHAKE_MS = 10_000;

/** A connection within this machine, or of a reverse proxy on it. */
export const isOwnMachine = ({ remoteAddress = "", localAddress }: Socket): boolean =>
  isLoopback(remoteAddress) || remoteAddress === localAddress;

export interface TlsEntrance {
  /** Whether a new connection may stay. Otherwise it is closed, since an answer would need a handshake first. */
  admits(socket: Socket): boolean;
  /** Whether plain http from the other end of a connection is served. */
  allowsPlain(socket: Socket): boolean;
  clock: Clock;
}

/** Puts TLS in front of what handles the server's connections now. */
export function serveTls(
  server: Server,
  source: CertificateSource,
  { admits, allowsPlain, clock }: TlsEntrance,
): void {
  const handlers = server.listeners("connection") as ((socket: Socket) => void)[];
  server.removeAllListeners("connection");
  const accept = (socket: Socket) => {
    for (const handle of handlers) handle.call(server, socket);
  };
  /** All connections: the server does not know of those without TLS yet, nor of refused ones. */
  const open = new Set<Socket>();
  const secure = createServer({
    ...contextOf(source.pair()),
    ALPNProtocols: ["http/1.1"],
    handshakeTimeout: HANDSHAKE_MS,
  });
  source.onChange((pair) => secure.setSecureContext(contextOf(pair)));
  secure.on("secureConnection", (socket: TLSSocket) => accept(socket));
  secure.on("tlsClientError", (_error, socket) => socket.destroy());
  const plain = plainRefusal(server, clock);
  server.on("connection", (socket: Socket) => {
    if (!admits(socket)) return void socket.destroy();
    open.add(socket);
    socket.on("error", () => {}); // a close event follows
    const end = () => socket.destroy();
    socket.once("end", end); // the server's sockets stay half open otherwise
    const cancel = clock.after(FIRST_BYTE_MS, end);
    socket.once("close", () => {
      cancel();
      open.delete(socket);
    });
    socket.once("data", (piece: Buffer) => {
      cancel();
      socket.off("end", end);
      socket.pause();
      socket.unshift(piece);
      if (piece[0] === HANDSHAKE) return void secure.emit("connection", socket);
      if (allowsPlain(socket)) accept(socket);
      else plain.emit("connection", socket);
      socket.resume();
    });
  });
  closeWithServer(server, open);
}

const contextOf = ({ cert, key }: CertificatePair): SecureContextOptions => ({
  cert,
  key,
  minVersion: "TLSv1.2",
});

function closeWithServer(server: Server, open: Set<Socket>): void {
  const { closeIdleConnections, closeAllConnections } = server;
  server.closeIdleConnections = () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    closeIdleConnections.call(server);
  };
  server.closeAllConnections = () => {
    closeAllConnections.call(server);
    for (const socket of open) socket.destroy();
  };
}
