// The head of an HTTP/1 response. It is read more strictly than RFC 9112 requires: whatever is unusual, or could be
// framed in two ways, is null, and Node's own client decides about it. Pure.

import { isNamed, parseFields } from "../../http/plain/header-fields.ts";

export interface ResponseHead {
  status: number;
  message: string;
  /** A flat list of names and values. */
  rawHeaders: string[];
  /** Where the body ends: after so many bytes, after its last chunk, or with the connection. */
  body: number | "chunked" | "close";
  /** Whether the server keeps the connection open for another request. */
  isKept: boolean;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: ([\t\x20-\x7e\x80-\xff]*))?\r\n/;
const LENGTH = /^\d{1,15}$/;

/** A server that closes an idle connection sooner than this closes it while it is used again. */
const MIN_KEPT_S = 2;

/** `text` ends with the line break of its last line. `method` is the request's. */
export function parseHead(text: string, method: string): ResponseHead | null {
  const line = STATUS_LINE.exec(text);
  if (!line) return null;
  const rawHeaders = parseFields(text, line[0].length);
  const status = Number(line[2]);
  if (rawHeaders === null || status === 101) return null;
  const framing = framingOf(rawHeaders, line[1] === "1");
  if (framing === null) return null;
  const hasBody = method !== "HEAD" && status >= 200 && status !== 204 && status !== 304;
  const body = hasBody ? framing.body : 0;
  const isKept = framing.isKept && body !== "close";
  return { status, message: line[3] ?? "", rawHeaders, body, isKept };
}

type Framing = Pick<ResponseHead, "body" | "isKept">;

/** Null if the end of the body is not beyond doubt. */
function framingOf(rawHeaders: readonly string[], isCurrent: boolean): Framing | null {
  let length: string | null = null;
  let coding: string | null = null;
  let isKept = isCurrent;
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n]!;
    const value = rawHeaders[n + 1]!;
    if (isNamed(name, "content-length")) {
      if (length !== null || !LENGTH.test(value)) return null;
      length = value;
    } else if (isNamed(name, "transfer-encoding")) {
      if (coding !== null || value.toLowerCase() !== "chunked" || !isCurrent) return null;
      coding = value;
    } else if (isNamed(name, "connection")) {
      if (/\bclose\b/i.test(value)) isKept = false;
    } else if (isNamed(name, "keep-alive") && keptSeconds(value) < MIN_KEPT_S) isKept = false;
  }
  if (length !== null && coding !== null) return null;
  if (coding !== null) return { body: "chunked", isKept };
  return { body: length === null ? "close" : Number(length), isKept };
}

function keptSeconds(value: string): number {
  const match = /\btimeout=(\d+)/i.exec(value);
  return match ? Number(match[1]) : Number.POSITIVE_INFINITY;
}
