// Ids and secrets for new objects, and random numbers. Ids and secrets never share a prefix, so one pasted in
// the place of the other is recognized.

import { hash, randomBytes, randomFillSync } from "node:crypto";

const ALPHANUMERIC = "abcdefghijklmnopqrstuvwxyz0123456789";

/** The pattern of every id that a client may send. */
export const ID_PATTERN = /^[A-Za-z0-9_-]{1,64}$/;

export interface Ids {
  /** A random lower-case alphanumeric id: 14 for endpoints and workers, 10 for templates. */
  short(length: number): string;
  /** A job's id: a UUID that increases with time, so that new rows are adjacent in the index. */
  job(sync: boolean, now: number): string;
  /** A secret key; shown once and stored only as its hash. */
  secret(prefix: "fh_" | "fhc_" | "fhi_" | "fhl_" | "fhr_" | "fhs_" | "fhw_" | "whsec_"): string;
  /** A random number from 0 up to 1, for what is no secret. */
  fraction(): number;
}

export const randomIds: Ids = {
  short(length) {
    let id = "";
    while (id.length < length) {
      for (const byte of randomBytes(length)) {
        // 252 is the largest multiple of 36 in a byte; larger values would make some letters more likely.
        if (byte < 252 && id.length < length) id += ALPHANUMERIC[byte % 36];
      }
    }
    return id;
  },
  job: (sync, now) => `${sync ? "sync-" : ""}${increasingUuid(now)}-u1`,
  secret(prefix) {
    if (prefix === "whsec_") return `${prefix}${randomBytes(24).toString("base64")}`;
    return `${prefix}${randomIds.short(40)}`;
  },
  fraction: Math.random,
};

/** The hash that is stored for a key, and by which a presented key is looked up. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret);
}

const pool = Buffer.alloc(8 * 512);
let poolOffset = pool.length;
let lastMs = 0;
let counter = 0;

/** A version 7 UUID: 48 bits of milliseconds, a 12-bit counter within one, 62 random bits. */
function increasingUuid(now: number): string {
  if (now > lastMs) {
    lastMs = now;
    counter = 0;
  } else if (++counter > 0xfff) {
    lastMs++;
    counter = 0;
  }
  if (poolOffset === pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  pool[poolOffset] = (pool[poolOffset]! & 0x3f) | 0x80;
  const random = pool.toString("hex", poolOffset, poolOffset + 8);
  poolOffset += 8;
  const time = lastMs.toString(16).padStart(12, "0");
  const counterDigits = counter.toString(16).padStart(3, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counterDigits}-${random.slice(0, 4)}-${random.slice(4)}`;
}
