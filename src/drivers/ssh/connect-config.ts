// The configuration of an SSH connection: address, user, keys and the check of the host key.

import { createHash } from "node:crypto";
import type { AnyAuthMethod, ConnectConfig, ServerHostKeyAlgorithm } from "ssh2";

export interface SshTarget {
  host: string;
  port: number;
  user: string;
  /** Private keys to try, in order. */
  keys: string[];
  /** The socket of an SSH agent; null for none. */
  agent: string | null;
}

/** The stored host key of a machine. */
export interface KeyTrust {
  /** "ssh-ed25519 SHA256:..."; null before the first connection. */
  known(): Promise<string | null>;
  /** Stores the key unless one is stored already; resolves to the stored key. */
  trustOnFirstUse(key: string): Promise<string>;
}

const KEEPALIVE_MS = 5_000;
/** The connection is closed after this many unanswered keepalives. */
const MAX_MISSED_KEEPALIVES = 3;
const READY_MS = 10_000;

/** Sets `rejection.reason` if the host key is rejected. */
export async function connectConfig(
  target: SshTarget,
  trust: KeyTrust,
  rejection: { reason: string | null },
): Promise<ConnectConfig> {
  const { host, port, user: username } = target;
  const known = await trust.known();
  return {
    host,
    port,
    username,
    keepaliveInterval: KEEPALIVE_MS,
    keepaliveCountMax: MAX_MISSED_KEEPALIVES,
    readyTimeout: READY_MS,
    // A server with several keys is asked for the kind that is stored.
    ...(known && {
      algorithms: { serverHostKey: { prepend: kindsOf(known), append: [], remove: [] } },
    }),
    hostVerifier: (key: Buffer, verify: (isTrusted: boolean) => void) => {
      verifyHostKey(key, trust).then(
        (reason) => {
          rejection.reason = reason;
          verify(reason === null);
        },
        (error: Error) => {
          rejection.reason = error.message;
          verify(false);
        },
      );
    },
    authHandler: methodsFor(target),
  };
}

async function verifyHostKey(key: Buffer, trust: KeyTrust): Promise<string | null> {
  const presented = fingerprintOf(key);
  const stored = await trust.trustOnFirstUse(presented);
  if (stored === presented) return null;
  return (
    `its host key is ${presented} and was ${stored}; if it was reinstalled, accept the new key with ` +
    "`freehold machine trust`; otherwise the connection may be intercepted"
  );
}

/** The fingerprint in OpenSSH's form, with the key's kind before it. */
function fingerprintOf(key: Buffer): string {
  const kind = key.subarray(4, 4 + key.readUInt32BE(0)).toString("latin1");
  const digest = createHash("sha256").update(key).digest("base64").replace(/=+$/, "");
  return `${kind} SHA256:${digest}`;
}

function kindsOf(known: string): ServerHostKeyAlgorithm[] {
  const [kind] = known.split(" ");
  return kind === "ssh-rsa" ? ["rsa-sha2-512", "rsa-sha2-256"] : [kind as ServerHostKeyAlgorithm];
}

function methodsFor({ user: username, keys, agent }: SshTarget): AnyAuthMethod[] {
  return [
    ...keys.map((key) => ({ type: "publickey" as const, username, key })),
    ...(agent === null ? [] : [{ type: "agent" as const, username, agent }]),
  ];
}
