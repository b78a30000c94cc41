// How a connection is made: whom it is for, what shows that, and whether the far side is who it was.

import { createHash } from "node:crypto";
import type { AnyAuthMethod, ConnectConfig, ServerHostKeyAlgorithm } from "ssh2";

export interface SshTarget {
  host: string;
  port: number;
  user: string;
  /** Private keys to try, in order. */
  keys: string[];
  /** The socket of an agent that has keys as well; null for none. */
  agent: string | null;
}

/** What is known of the far side's own key. */
export interface KeyTrust {
  /** "ssh-ed25519 SHA256:..."; null before the first connection. */
  known(): Promise<string | null>;
  /** Keeps the key that was seen first; resolves to the one that is kept, perhaps another's first. */
  settle(key: string): Promise<string>;
}

/** The far side is asked whether it is there so often, and given up after so many silences. */
const ALIVE_MS = 5_000;
const SILENCES = 3;
const READY_MS = 10_000;

/** A sentence lands in `refused` where it is us who refuse the far side. */
export async function optionsFor(
  target: SshTarget,
  trust: KeyTrust,
  refused: { why: string | null },
): Promise<ConnectConfig> {
  const { host, port, user: username } = target;
  const known = await trust.known();
  return {
    host,
    port,
    username,
    keepaliveInterval: ALIVE_MS,
    keepaliveCountMax: SILENCES,
    readyTimeout: READY_MS,
    // One that has several keys is asked for the kind that is known.
    ...(known && {
      algorithms: { serverHostKey: { prepend: kindsOf(known), append: [], remove: [] } },
    }),
    hostVerifier: (key: Buffer, verify: (fine: boolean) => void) => {
      judge(key, trust).then(
        (why) => {
          refused.why = why;
          verify(why === null);
        },
        (error: Error) => {
          refused.why = error.message;
          verify(false);
        },
      );
    },
    authHandler: methodsFor(target),
  };
}

async function judge(key: Buffer, trust: KeyTrust): Promise<string | null> {
  const seen = fingerprintOf(key);
  const kept = await trust.settle(seen);
  if (kept === seen) return null;
  return (
    `its host key is ${seen} and was ${kept}; if it was set up anew, say so with ` +
    "`freehold machine trust`, else somebody stands in between"
  );
}

/** As OpenSSH writes it, with the kind before it. */
export function fingerprintOf(key: Buffer): string {
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
