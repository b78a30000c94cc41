// ETags. An object written over S3 has its MD5, a multipart object the MD5 of its parts' MD5s. A file
// that a Pod wrote has an opaque tag from its inode, so that listing never reads its content.

import { createHash, hash } from "node:crypto";

/** What identifies one version of a file. */
export interface FileVersion {
  size: number;
  /** Nanoseconds since the epoch, as text: a number would lose digits. */
  mtimeNs: string;
  inode: string;
}

export function isSameVersion(a: FileVersion, b: FileVersion): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs && a.inode === b.inode;
}

/** The suffix keeps clients from taking it for an MD5. */
export function opaqueTag({ size, mtimeNs, inode }: FileVersion): string {
  return `${hash("md5", `${inode}/${size}/${mtimeNs}`)}-1`;
}

export function multipartTag(partTags: readonly string[]): string {
  const digest = createHash("md5");
  for (const tag of partTags) digest.update(Buffer.from(tag, "hex"));
  return `${digest.digest("hex")}-${partTags.length}`;
}

/** The number of parts of a stored tag; null unless it is a multipart object's. */
export function partsCountOf(tag: string): number | null {
  const count = /-(\d+)$/.exec(tag)?.[1];
  return count === undefined ? null : Number(count);
}

/** A tag as clients send it: with or without quotes. */
export const unquoted = (tag: string) => tag.trim().replace(/^(?:W\/)?"?|"?$/g, "");
