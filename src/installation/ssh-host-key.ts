// The host key of the SSH server. It is derived from the secret key, so that all replicas have the same
// one and a restart does not change it.

import { createHash, createPrivateKey, createPublicKey } from "node:crypto";
import { derived } from "./secret-key.ts";

export interface SshHostKey {
  /** In OpenSSH's format for private keys. */
  privateKey: string;
  /** Such as "SHA256:...", as OpenSSH shows it. */
  fingerprint: string;
}

const KEY_TYPE = "ssh-ed25519";
/** What precedes the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

export function sshHostKey(secretKey: string): SshHostKey {
  const seed = Buffer.from(derived(secretKey, "ssh host key"), "hex");
  const der = Buffer.concat([PKCS8_PREFIX, seed]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const { x } = createPublicKey(key).export({ format: "jwk" });
  const point = Buffer.from(x!, "base64url");
  const publicKey = Buffer.concat([field(KEY_TYPE), field(point)]);
  const digest = createHash("sha256").update(publicKey).digest("base64");
  return {
    privateKey: openSshFormat(publicKey, Buffer.concat([seed, point])),
    fingerprint: `SHA256:${digest.replace(/=+$/, "")}`,
  };
}

/** An unencrypted openssh-key-v1 file; PROTOCOL.key of OpenSSH describes it. */
function openSshFormat(publicKey: Buffer, secret: Buffer): string {
  const check = Buffer.alloc(8); // twice the same number, which shows that a decryption succeeded
  const content = [check, publicKey, field(secret), field("")];
  const length = content.reduce((sum, { length: bytes }) => sum + bytes, 0);
  const padding = Buffer.from(Array.from({ length: (8 - (length % 8)) % 8 }, (_, n) => n + 1));
  const file = Buffer.concat([
    Buffer.from("openssh-key-v1\0"),
    field("none"), // cipher
    field("none"), // key derivation
    field(""),
    uint32(1),
    field(publicKey),
    field(Buffer.concat([...content, padding])),
  ]);
  const lines = file.toString("base64").match(/.{1,70}/g)!;
  const name = "OPENSSH PRIVATE KEY";
  return [`-----BEGIN ${name}-----`, ...lines, `-----END ${name}-----`, ""].join("\n");
}

function field(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value as string);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
