// The checksums that S3 clients send beside a body, in base64: CRC-32, CRC-32C, CRC-64/NVME, SHA-1 and
// SHA-256.

import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { Crc32c, Crc64Nvme } from "./crc.ts";

export const checksumAlgorithms = ["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"] as const;
export type ChecksumAlgorithm = (typeof checksumAlgorithms)[number];

/** FULL_OBJECT: of the object's bytes. COMPOSITE: of its parts' checksums. */
export type ChecksumType = "FULL_OBJECT" | "COMPOSITE";

export interface Checksum {
  algorithm: ChecksumAlgorithm;
  /** Base64; a composite one ends with "-" and the number of parts. */
  value: string;
  type: ChecksumType;
}

/** The header that holds a checksum. */
export const checksumHeader = (algorithm: ChecksumAlgorithm) =>
  `x-amz-checksum-${algorithm.toLowerCase()}`;

export function readAlgorithm(text: string | undefined): ChecksumAlgorithm | null {
  return checksumAlgorithms.find((each) => each === text?.toUpperCase()) ?? null;
}

interface Digest {
  update(bytes: Uint8Array): unknown;
  digest(): Buffer;
}

export function checksumDigest(algorithm: ChecksumAlgorithm): Digest {
  if (algorithm === "CRC32") return new Crc32();
  if (algorithm === "CRC32C") return new Crc32c();
  if (algorithm === "CRC64NVME") return new Crc64Nvme();
  return createHash(algorithm === "SHA1" ? "sha1" : "sha256");
}

/** The checksum of an object from those of its parts. */
export function compositeChecksum(
  algorithm: ChecksumAlgorithm,
  parts: readonly string[],
): Checksum {
  const digest = checksumDigest(algorithm);
  for (const part of parts) digest.update(Buffer.from(part, "base64"));
  const value = `${digest.digest().toString("base64")}-${parts.length}`;
  return { algorithm, value, type: "COMPOSITE" };
}

class Crc32 implements Digest {
  #value = 0;

  update(bytes: Uint8Array): void {
    this.#value = crc32(bytes, this.#value);
  }

  digest(): Buffer {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(this.#value);
    return bytes;
  }
}
