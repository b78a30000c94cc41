// A public key in OpenSSH's one-line form, validated to the last byte so that a stored key is
// usable. Pure.

import { createHash } from "node:crypto";

export interface PublicKey {
  /** "type base64", and the comment if there is one. */
  line: string;
  comment: string;
  /** The fingerprint as `ssh-keygen -l` shows it: SHA256:... */
  fingerprint: string;
}

type Fits = (fields: Buffer[]) => boolean;

const LEAST_RSA_BITS = 2_048;

const ed25519: Fits = ([key]) => key?.length === 32;
const curve =
  (name: string, bytes: number): Fits =>
  ([curveName, point]) =>
    curveName?.toString() === name && point?.[0] === 4 && point.length === 1 + 2 * bytes;
const rsa: Fits = ([exponent, modulus]) =>
  exponent !== undefined && exponent.length > 0 && modulus !== undefined && modulus.length > 0;

/** The kinds of keys, how many fields follow the kind's name, and what these must be. */
const kinds = new Map<string, { fields: number; fits: Fits }>([
  ["ssh-ed25519", { fields: 1, fits: ed25519 }],
  ["ssh-rsa", { fields: 2, fits: rsa }],
  ["ecdsa-sha2-nistp256", { fields: 2, fits: curve("nistp256", 32) }],
  ["ecdsa-sha2-nistp384", { fields: 2, fits: curve("nistp384", 48) }],
  ["ecdsa-sha2-nistp521", { fields: 2, fits: curve("nistp521", 66) }],
  ["sk-ssh-ed25519@openssh.com", { fields: 2, fits: ed25519 }],
  ["sk-ecdsa-sha2-nistp256@openssh.com", { fields: 3, fits: curve("nistp256", 32) }],
]);

/** The key, or the sentence that says what is wrong with it. */
export function readPublicKey(text: string): PublicKey | string {
  const line = text.trim();
  if (/PRIVATE KEY/.test(line)) {
    return "it is a private key, which must stay secret; give the public key, whose file name ends with .pub.";
  }
  if (/[\r\n\0]/.test(line)) return "it must be one line.";
  const [kind = "", base64 = "", ...words] = line.split(/[ \t]+/);
  const known = kinds.get(kind);
  if (!known) return `it must begin with one of ${[...kinds.keys()].join(", ")}.`;
  const blob = Buffer.from(base64, "base64");
  const fields = /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? fieldsOf(blob) : null;
  if (fields?.shift()?.toString() !== kind) return `what follows ${kind} is no such key.`;
  if (fields.length !== known.fields || !known.fits(fields)) {
    return `what follows ${kind} is no such key.`;
  }
  if (kind === "ssh-rsa" && bitsOf(fields[1]!) < LEAST_RSA_BITS) {
    return `it has ${bitsOf(fields[1]!)} bits; an RSA key takes ${LEAST_RSA_BITS} at least.`;
  }
  const digest = createHash("sha256").update(blob).digest("base64").replace(/=+$/, "");
  const comment = words.join(" ");
  return {
    line: [kind, base64, ...words].join(" "),
    comment,
    fingerprint: `SHA256:${digest}`,
  };
}

/** Whether a stored line is the key whose bytes an SSH client sent. */
export function isSameKey(line: string, blob: Buffer): boolean {
  const [, base64 = ""] = line.split(" ");
  return base64 !== "" && Buffer.from(base64, "base64").equals(blob);
}

/**
 * Splits a blob into fields, each a 4-byte length followed by that many bytes; null if the lengths
 * do not add up.
 */
function fieldsOf(blob: Buffer): Buffer[] | null {
  const fields: Buffer[] = [];
  for (let at = 0; at < blob.length; ) {
    if (at + 4 > blob.length) return null;
    const end = at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) return null;
    fields.push(blob.subarray(at + 4, end));
    at = end;
  }
  return fields;
}

function bitsOf(number: Buffer): number {
  const first = number.findIndex((byte) => byte !== 0);
  if (first === -1) return 0;
  return 8 * (number.length - first) - (Math.clz32(number[first]!) - 24);
}
