// How one replica shows another that it is one: with the secret key that all of them share, for one
// address and for a minute. Nobody's own key travels between replicas.

import { createHmac, timingSafeEqual } from "node:crypto";

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
  return timingSafeEqual(Buffer.from(match[2]!), Buffer.from(seal(key, path, at)));
}

function seal(key: string, path: string, at: number): string {
  return createHmac("sha256", key).update(`${at} ${path}`).digest("hex");
}
