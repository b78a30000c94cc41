// An object as S3 describes it: a file of the volume, with what was stored beside it.

import type { Checksum } from "./checksum.ts";
import { type FileVersion, isSameVersion, opaqueTag, partsCountOf } from "./entity-tag.ts";

/** Headers that are stored with an object and returned with it: Content-Type, x-amz-meta-* and others. */
export type ObjectHeaders = Readonly<Record<string, string>>;

/** What was stored about an object when it was written over S3. */
export interface ObjectRecord extends FileVersion {
  key: string;
  etag: string;
  headers: ObjectHeaders;
  checksum: Checksum | null;
}

export interface S3Object {
  key: string;
  size: number;
  modifiedAt: number;
  etag: string;
  headers: ObjectHeaders;
  checksum: Checksum | null;
  /** Null unless it was written by a multipart upload. */
  partsCount: number | null;
}

const FOLDER_TYPE = "application/x-directory";
const EMPTY_MD5 = "d41d8cd98f00b204e9800998ecf8427e";

/** The record counts only if the file has not changed since. */
export function describeFile(
  key: string,
  file: FileVersion,
  record: ObjectRecord | undefined,
): S3Object {
  const facts = { key, size: file.size, modifiedAt: modifiedAt(file) };
  if (record && isSameVersion(record, file)) {
    const { etag, headers, checksum } = record;
    return { ...facts, etag, headers, checksum, partsCount: partsCountOf(etag) };
  }
  return { ...facts, etag: opaqueTag(file), headers: {}, checksum: null, partsCount: null };
}

export function describeFolder(key: string, folder: Pick<FileVersion, "mtimeNs">): S3Object {
  const headers = { "content-type": FOLDER_TYPE };
  const facts = { key, size: 0, modifiedAt: modifiedAt(folder) };
  return { ...facts, etag: EMPTY_MD5, headers, checksum: null, partsCount: null };
}

const modifiedAt = ({ mtimeNs }: Pick<FileVersion, "mtimeNs">) =>
  Number(BigInt(mtimeNs) / 1_000_000n);
