// A request of the S3 interface: its bucket, key and parameters, as they are on the wire.

import type { IncomingMessage, ServerResponse } from "node:http";
import { S3Error } from "../../../domain/s3/s3-error.ts";

export interface S3Request {
  message: IncomingMessage;
  response: ServerResponse;
  method: string;
  /** The path as it was sent, percent-encoded. */
  path: string;
  /** The query as it was sent, without the question mark. */
  query: string;
  /** Empty for the service itself. */
  bucket: string;
  /** Empty for the bucket itself. */
  key: string;
  parameters: ReadonlyMap<string, string>;
  /** The first value of a header; undefined if it was not sent. */
  header(name: string): string | undefined;
}

/** Path style only: /<bucket>/<key>. Throws InvalidArgument if the URL is not valid UTF-8. */
export function readRequest(
  message: IncomingMessage,
  response: ServerResponse,
  sentUrl = message.url ?? "/",
): S3Request {
  const url = sentUrl.replace(/^https?:\/\/[^/?]*/i, "");
  const at = url.indexOf("?");
  const [path, query] = at < 0 ? [url, ""] : [url.slice(0, at), url.slice(at + 1)];
  const slash = path.indexOf("/", 1);
  const bucket = slash < 0 ? path.slice(1) : path.slice(1, slash);
  return {
    message,
    response,
    method: message.method ?? "GET",
    path: path === "" ? "/" : path,
    query,
    bucket: decode(bucket),
    key: slash < 0 ? "" : decode(path.slice(slash + 1)),
    parameters: readParameters(query),
    header(name) {
      const value = message.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
  };
}

function readParameters(query: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const each of query.split("&")) {
    if (each === "") continue;
    const at = each.indexOf("=");
    const [name, value] = at < 0 ? [each, ""] : [each.slice(0, at), each.slice(at + 1)];
    parameters.set(decode(name), decode(value));
  }
  return parameters;
}

/** A plus sign is itself: clients encode a blank as %20. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error("InvalidArgument", { detail: "The URL is not percent-encoded UTF-8." });
  }
}

/** A whole number of a parameter. */
export function numberOf(
  { parameters }: S3Request,
  name: string,
  usual: number,
  limit: number,
): number {
  const text = parameters.get(name);
  if (text === undefined || text === "") return usual;
  if (/^\d{1,9}$/.test(text)) return Math.min(Number(text), limit);
  throw new S3Error("InvalidArgument", { detail: `${name} must be a whole number.` });
}
