// A machine at an address of its own, as its operator added it. Pure.

import type { Declared, VirtualGpus } from "./inventory.ts";

export interface RemoteMachine {
  id: string;
  /** For people; empty for none. */
  name: string;
  /** ssh://user@gpu1, ssh://user@gpu1:2222/run/docker.sock, tcp://gpu1:2376 */
  address: string;
  /** Sealed, see RemoteSecrets. */
  secrets: string;
  offer: RemoteOffer;
  /** "ssh-ed25519 SHA256:..."; null where none was seen yet, or it was forgotten. */
  hostKey: string | null;
  /** At which its containers reach the service; null before the first time. */
  wayBackPort: number | null;
  /** Why it is not attended, in a sentence; null where it is, or was not tried yet. */
  trouble: string | null;
  addedAt: number;
}

/** What opens it. */
export interface RemoteSecrets {
  /** A private key for SSH, without a passphrase. */
  identity?: string;
  /** For tcp://, each as PEM has it. */
  tls?: { ca: string; cert: string; key: string };
}

/** What its operator says of it. */
export interface RemoteOffer {
  declared: Declared;
  virtualGpus: VirtualGpus;
  /** Real ones, by type, where nobody can look for them; numbered from 0 in this order. */
  gpus: VirtualGpus;
  /** Where its Pods' public ports are reached; null for nowhere. */
  publicIp: string | null;
}

export type RemoteAddress =
  | { by: "ssh"; host: string; port: number; user: string; socket: string }
  | { by: "tcp"; host: string; port: number };

const SSH_PORT = 22;
const TLS_PORT = 2376;
const USUAL_SOCKET = "/var/run/docker.sock";

/** Null where it is none. */
export function remoteAddressOf(text: string): RemoteAddress | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url?.hostname || url.password || url.search || url.hash) return null;
  const { protocol, username, pathname } = url;
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (protocol === "ssh:" && /^[\w.][\w.-]*$/.test(username)) {
    const socket = pathname === "" || pathname === "/" ? USUAL_SOCKET : pathname;
    return { by: "ssh", host, port: Number(url.port) || SSH_PORT, user: username, socket };
  }
  if (protocol === "tcp:" && username === "" && /^\/?$/.test(pathname)) {
    return { by: "tcp", host, port: Number(url.port) || TLS_PORT };
  }
  return null;
}

/** The work of attending it, which one replica has at a time. */
export const attendDuty = (id: string) => `machine:${id}`;

/** What its secrets are sealed for. */
export const remoteOwner = (id: string) => `machine:${id}`;
