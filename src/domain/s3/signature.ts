// Signature Version 4: the keys derived from a secret, and the signatures of requests, chunks and
// trailers. Pure.

import { createHmac } from "node:crypto";
import { sha256Hex } from "./canonical-request.ts";

/** What a signature is valid for. */
export interface SignatureScope {
  /** yyyymmdd */
  date: string;
  region: string;
}

const SERVICE = "s3";
const ALGORITHM = "AWS4-HMAC-SHA256";
const EMPTY_HASH = sha256Hex("");

export class Signer {
  readonly #key: Buffer;
  readonly #head: string;
  readonly #scope: string;

  /** `time` is yyyymmddThhmmssZ. */
  constructor(secret: string, { date, region }: SignatureScope, time: string) {
    const dated = hmac(`AWS4${secret}`, date);
    this.#key = hmac(hmac(hmac(dated, region), SERVICE), "aws4_request");
    this.#head = time;
    this.#scope = `${date}/${region}/${SERVICE}/aws4_request`;
  }

  ofRequest(canonicalRequest: string): string {
    return this.#sign(ALGORITHM, sha256Hex(canonicalRequest));
  }

  ofChunk(previous: string, chunkHash: string): string {
    return this.#sign(`${ALGORITHM}-PAYLOAD`, previous, EMPTY_HASH, chunkHash);
  }

  ofTrailer(previous: string, trailer: string): string {
    return this.#sign(`${ALGORITHM}-TRAILER`, previous, sha256Hex(trailer));
  }

  #sign(algorithm: string, ...rest: string[]): string {
    const text = [algorithm, this.#head, this.#scope, ...rest].join("\n");
    return hmac(this.#key, text).toString("hex");
  }
}

const hmac = (key: string | Buffer, text: string) =>
  createHmac("sha256", key).update(text).digest();

/** Milliseconds since the epoch of yyyymmddThhmmssZ; null if it is not one. */
export function readAmzTime(text: string): number | null {
  const match = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute, second] = match.map(Number);
  const time = Date.UTC(year!, month! - 1, day, hour, minute, second);
  return Number.isNaN(time) ? null : time;
}
