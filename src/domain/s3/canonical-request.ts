// The canonical form of a request that Signature Version 4 signs. Pure.

import { createHash } from "node:crypto";

export interface SignedRequest {
  method: string;
  /** The path as it was sent, percent-encoded. */
  path: string;
  /** The query as it was sent, without the question mark. */
  query: string;
  /** Names and values in turn, as they were sent. */
  rawHeaders: readonly string[];
  /** In lower case. */
  signedHeaders: readonly string[];
  /** The header x-amz-content-sha256, or UNSIGNED-PAYLOAD. */
  payloadHash: string;
}

export function canonicalRequest(request: SignedRequest): string {
  const { method, path, query, signedHeaders, payloadHash } = request;
  const headers = signedHeaders.map((name) => `${name}:${headerValue(request.rawHeaders, name)}\n`);
  return [
    method,
    path,
    canonicalQuery(query),
    headers.join(""),
    signedHeaders.join(";"),
    payloadHash,
  ].join("\n");
}

/** Values of repeated headers are joined by commas; blanks within a value are folded. */
function headerValue(rawHeaders: readonly string[], name: string): string {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]!.toLowerCase() === name) {
      values.push(rawHeaders[at + 1]!.trim().replace(/ +/g, " "));
    }
  }
  return values.join(",");
}

/** The query without X-Amz-Signature, which a presigned URL adds last. */
function canonicalQuery(query: string): string {
  if (query === "") return "";
  const parameters = query.split("&").filter((each) => each !== "");
  const encoded = parameters.map((each): [string, string] => {
    const at = each.indexOf("=");
    const [name, value] = at < 0 ? [each, ""] : [each.slice(0, at), each.slice(at + 1)];
    return [reencode(name), reencode(value)];
  });
  return encoded
    .filter(([name]) => name !== "X-Amz-Signature")
    .sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : x > y ? 1 : 0))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

/** A path with every character encoded that S3 encodes; clients differ in what they leave plain. */
export function reencodedPath(path: string): string {
  return path.split("/").map(reencode).join("/");
}

function reencode(text: string): string {
  try {
    return encodeS3(decodeURIComponent(text));
  } catch {
    return text;
  }
}

/** Percent-encoding of everything but letters, digits and "-._~". */
export function encodeS3(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

export const sha256Hex = (text: string | Uint8Array) =>
  createHash("sha256").update(text).digest("hex");
