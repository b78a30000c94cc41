// A range of bytes: "bytes=0-99", "bytes=100-", "bytes=-100". Anything else, several ranges included,
// is ignored, as HTTP allows.

import { S3Error } from "./s3-error.ts";

export interface ByteRange {
  first: number;
  /** Inclusive. */
  last: number;
}

/** Null for the whole object. Throws InvalidRange. */
export function readRange(header: string | undefined, size: number): ByteRange | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return null;
  const [, from = "", to = ""] = match;
  if (from === "") return suffix(Number(to), size, header!);
  const first = Number(from);
  if (to !== "" && Number(to) < first) return null;
  if (first >= size) throw new S3Error("InvalidRange", { range: header!, size });
  return { first, last: to === "" ? size - 1 : Math.min(Number(to), size - 1) };
}

function suffix(length: number, size: number, range: string): ByteRange {
  if (length === 0 || size === 0) throw new S3Error("InvalidRange", { range, size });
  return { first: Math.max(0, size - length), last: size - 1 };
}

/** The range of UploadPartCopy, which must be within the source. */
export function readCopyRange(header: string | undefined, size: number): ByteRange | null {
  if (header === undefined) return null;
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(header.trim()) ?? [];
  if (first !== undefined && Number(first) <= Number(last) && Number(last) < size) {
    return { first: Number(first), last: Number(last) };
  }
  const detail = `The range ${header} must be bytes=first-last within the ${size} bytes of the source.`;
  throw new S3Error("InvalidArgument", { detail });
}
