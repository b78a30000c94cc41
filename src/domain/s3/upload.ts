// A multipart upload: its parts are stored one by one and become an object when it is completed.

import type { ChecksumAlgorithm, ChecksumType } from "./checksum.ts";
import { multipartTag, unquoted } from "./entity-tag.ts";
import type { ObjectHeaders } from "./object.ts";
import { S3Error } from "./s3-error.ts";

export const MAX_PART_NUMBER = 10_000;

export interface Upload {
  id: string;
  volumeId: string;
  key: string;
  headers: ObjectHeaders;
  algorithm: ChecksumAlgorithm | null;
  checksumType: ChecksumType | null;
  keyId: string;
  createdAt: number;
}

export interface Part {
  number: number;
  /** The name of its staged file. */
  staged: string;
  etag: string;
  size: number;
  /** Base64. */
  checksum: string | null;
  uploadedAt: number;
}

/** A part as the client names it when it completes the upload. */
export interface NamedPart {
  number: number;
  etag: string;
  checksum: string | null;
}

/** The parts of the object, in order. Throws InvalidPart or InvalidPartOrder. */
export function selectParts(named: readonly NamedPart[], uploaded: readonly Part[]): Part[] {
  const byNumber = new Map(uploaded.map((part) => [part.number, part]));
  let last = 0;
  return named.map(({ number, etag, checksum }) => {
    if (number <= last) throw new S3Error("InvalidPartOrder");
    last = number;
    const part = byNumber.get(number);
    const isSame =
      part?.etag === unquoted(etag) && (checksum === null || checksum === part.checksum);
    if (!part || !isSame) throw new S3Error("InvalidPart", { part: number });
    return part;
  });
}

export const tagOfParts = (parts: readonly Part[]) => multipartTag(parts.map(({ etag }) => etag));
