// The headers that are stored with an object, those of a reply about one, and conditions.

import { checksumHeader } from "../../../domain/s3/checksum.ts";
import type { Conditions } from "../../../domain/s3/conditions.ts";
import type { ObjectHeaders, S3Object } from "../../../domain/s3/object.ts";
import { S3Error } from "../../../domain/s3/s3-error.ts";
import type { S3Request } from "./s3-request.ts";

const STORED = [
  "content-type",
  "cache-control",
  "content-disposition",
  "content-encoding",
  "content-language",
  "expires",
];
const META = "x-amz-meta-";
const MAX_META_BYTES = 2_048;

/** Parameters of a read that replace headers of its reply. */
const OVERRIDES = STORED.map((name) => [`response-${name}`, name] as const);

/** Headers whose request would be ignored; it is refused instead. */
const UNOFFERED: readonly [prefix: string, what: string][] = [
  ["x-amz-server-side-encryption", "Encryption by S3"],
  ["x-amz-object-lock", "Object lock"],
  ["x-amz-tagging", "Tagging"],
  ["x-amz-website-redirect-location", "Website redirection"],
  ["x-amz-grant-", "Grants"],
];

export function storedHeaders(request: S3Request): ObjectHeaders {
  refuseUnoffered(request);
  const stored: Record<string, string> = {};
  for (const name of STORED) {
    const value = request.header(name);
    if (value !== undefined) stored[name] = value;
  }
  const encoding = withoutChunked(stored["content-encoding"] ?? "");
  if (encoding === "") delete stored["content-encoding"];
  else stored["content-encoding"] = encoding;
  let bytes = 0;
  for (const [name, value] of Object.entries(request.message.headers)) {
    if (!name.startsWith(META) || typeof value !== "string") continue;
    bytes += name.length - META.length + value.length;
    stored[name] = value;
  }
  if (bytes <= MAX_META_BYTES) return stored;
  const detail = `The metadata has ${bytes} bytes; it can have at most ${MAX_META_BYTES}.`;
  throw new S3Error("InvalidArgument", { detail });
}

/** aws-chunked describes the transfer and not the object. */
function withoutChunked(encoding: string): string {
  const parts = encoding.split(",").map((each) => each.trim());
  return parts.filter((each) => each !== "" && each !== "aws-chunked").join(",");
}

function refuseUnoffered({ message, header }: S3Request): void {
  const names = Object.keys(message.headers);
  const found = UNOFFERED.find(([prefix]) => names.some((name) => name.startsWith(prefix)));
  if (found) throw new S3Error("NotImplemented", { detail: `${found[1]} is not offered.` });
  const storageClass = header("x-amz-storage-class") ?? "STANDARD";
  if (storageClass === "STANDARD") return;
  throw new S3Error("NotImplemented", { detail: "The only storage class is STANDARD." });
}

/** The headers of a reply about an object; `size` is the number of bytes in the reply. */
export function objectHeaders(
  request: S3Request,
  object: S3Object,
  size: number,
): Record<string, string | number> {
  const { checksum, headers } = object;
  const isWhole = size === object.size;
  const wantsChecksum = request.header("x-amz-checksum-mode")?.toUpperCase() === "ENABLED";
  return {
    "content-type": "binary/octet-stream",
    ...headers,
    ...overrides(request),
    etag: `"${object.etag}"`,
    "last-modified": new Date(object.modifiedAt).toUTCString(),
    "content-length": size,
    "accept-ranges": "bytes",
    // A presigned URL may be opened in a browser.
    "x-content-type-options": "nosniff",
    ...(checksum &&
      wantsChecksum &&
      isWhole && {
        [checksumHeader(checksum.algorithm)]: checksum.value,
        "x-amz-checksum-type": checksum.type,
      }),
  };
}

function overrides({ parameters }: S3Request): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [parameter, name] of OVERRIDES) {
    const value = parameters.get(parameter);
    if (value !== undefined) found[name] = value.replace(/[^\t\x20-\x7e\x80-\xff]/g, "");
  }
  return found;
}

/** `prefix` is x-amz-copy-source- for conditions on the source of a copy. */
export function readConditions({ header }: S3Request, prefix = ""): Conditions {
  const time = (name: string) => {
    const at = Date.parse(header(prefix + name) ?? "");
    return Number.isNaN(at) ? undefined : at;
  };
  return {
    ifMatch: header(`${prefix}if-match`),
    ifNoneMatch: header(`${prefix}if-none-match`),
    ifModifiedSince: time("if-modified-since"),
    ifUnmodifiedSince: time("if-unmodified-since"),
  };
}
