// Where a container engine is, and how it is reached there: apart from its client, which takes long to
// be read, so that a service without containers does without it.

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Duplex } from "node:stream";

export interface EngineAddress {
  /** As DOCKER_HOST has it: unix:///var/run/docker.sock, tcp://host:2376. */
  host: string;
  /** For tcp:// with TLS. */
  tls?: TlsKeys | null;
  /** Opens connections to it where it has no address that this machine reaches; `host` is for people. */
  open?: () => Promise<Duplex>;
}

/** Each as PEM has it. */
export interface TlsKeys {
  ca: string;
  cert: string;
  key: string;
}

/** Out of a folder with ca.pem, cert.pem and key.pem. */
export function tlsKeysIn(folder: string): TlsKeys {
  const file = (name: string) => readFileSync(path.join(folder, name), "utf8");
  return { ca: file("ca.pem"), cert: file("cert.pem"), key: file("key.pem") };
}

const UNIX = "unix://";

/** Its socket on this machine; null where it is reached otherwise. */
export function socketOf({ host }: EngineAddress): string | null {
  return host.startsWith(UNIX) ? host.slice(UNIX.length) : null;
}

/** False only where there is certainly none: a socket on this machine that is not there. */
export function mayAnswer(address: EngineAddress): boolean {
  const socket = socketOf(address);
  return socket === null || existsSync(socket);
}
