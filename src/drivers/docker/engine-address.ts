// The address of a container engine. It is separate from the client, which is slow to load, so that a
// service without containers does not load it.

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Duplex } from "node:stream";

export interface EngineAddress {
  /** In the form of DOCKER_HOST: unix:///var/run/docker.sock, tcp://host:2376. */
  host: string;
  /** For tcp:// with TLS. */
  tls?: TlsKeys | null;
  /** Opens connections to an engine that this machine cannot address; `host` is then only a display name. */
  open?: () => Promise<Duplex>;
}

/** Each in PEM form. */
export interface TlsKeys {
  ca: string;
  cert: string;
  key: string;
}

/** Reads ca.pem, cert.pem and key.pem from a folder. */
export function tlsKeysIn(folder: string): TlsKeys {
  const file = (name: string) => readFileSync(path.join(folder, name), "utf8");
  return { ca: file("ca.pem"), cert: file("cert.pem"), key: file("key.pem") };
}

const UNIX = "unix://";

/** Its socket on this machine; null for another kind of address. */
export function socketOf({ host }: EngineAddress): string | null {
  return host.startsWith(UNIX) ? host.slice(UNIX.length) : null;
}

/** False only if there is certainly no engine: the socket does not exist on this machine. */
export function mayAnswer(address: EngineAddress): boolean {
  const socket = socketOf(address);
  return socket === null || existsSync(socket);
}
