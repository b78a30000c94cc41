// A signed pass that authenticates one replica to another, by the secret key that all replicas
// share. It is valid for one address and one minute. API keys never travel between replicas.

import { createHmac } from "node:crypto";
import { isSameText } from "../../base/text/same-text.ts";

const VALID_MS = 60_000;

/** The value of an Authorization header for a request to `path` at `now`. */
export function passFor(key: string, path: string, now: number): string {
  return `Replica ${now}.${seal(key, path, now)}`;
}

export function isPass(key: string, header: string, path: string, now: number): boolean {
  const match = /^Replica (\d{1,15})\.([0-9a-f]{64})$/.exec(header);
  if (!match) return false;
  const at = Number(match[1]);
  if (Math.abs(now - at) > VALID_MS) return false;
  return isSameText(match[2]!, seal(key, path, at));
}

function seal(key: string, path: string, at: number): string {
  return createHmac("sha256", key).update(`${at} ${path}`).digest("hex");
}
