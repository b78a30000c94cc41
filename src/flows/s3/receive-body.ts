// Receives a body into a staged file, and verifies its digests. Nothing stays if it fails.

import { countBuffer } from "../../base/memory.ts";
import type { ChecksumAlgorithm } from "../../domain/s3/checksum.ts";
import { S3Error } from "../../domain/s3/s3-error.ts";
import type { FileFacts, StagedFile } from "../../drivers/volume-files.ts";
import { type Digests, digestOf } from "./body-digest.ts";
import { changingFiles } from "./file-errors.ts";
import type { S3Deps } from "./s3-deps.ts";
import type { WritableVolume } from "./volume-access.ts";

/** The bytes of an object as a client sends them. */
export interface ObjectBody {
  /** Fails with an S3Error if what arrives does not match its signature or length. */
  chunks: AsyncIterable<Uint8Array>;
  /** Null if the client did not declare it. */
  length: number | null;
  /** Rejects if the caller has lost access: bodies and copies may take long, and nothing is stored then. */
  requireLastingAccess(): Promise<void>;
  /** The checksum to compute; null for none. */
  algorithm: ChecksumAlgorithm | null;
  /** What the client computed, in base64; complete once all chunks were read. */
  expected(): { md5: string | null; checksum: string | null };
}

export interface Received {
  staged: string;
  facts: FileFacts;
  /** Hexadecimal. */
  md5: string;
  /** Base64; null without an algorithm. */
  checksum: string | null;
}

export interface ReceiveOptions {
  /** The name of the staged file. */
  name: string;
  maxBytes: number;
  /** The bytes are a copy of staged ones, which count already. */
  isCounted?: boolean;
}

export async function receiveBody(
  { rooms }: Pick<S3Deps, "rooms">,
  { volume, files }: WritableVolume,
  body: ObjectBody,
  { name, maxBytes, isCounted = false }: ReceiveOptions,
): Promise<Received> {
  const { length } = body;
  if (length !== null && length > maxBytes) throw tooLarge(maxBytes);
  await rooms.require(volume, files, isCounted ? 0 : (length ?? 0));
  const file = await changingFiles(volume, () => files.createStaged(name));
  if (isCounted) rooms.addCopy(volume, name);
  let bytes = 0;
  const count = (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    if (!isCounted) rooms.take(volume, chunk.length);
  };
  try {
    const digests = await changingFiles(volume, () => writeBody(file, body, count));
    const facts = await changingFiles(volume, () => file.finish());
    return { staged: name, facts, ...digests };
  } catch (error) {
    await file.discard();
    if (!isCounted) rooms.release(volume, bytes);
    throw error;
  }
}

async function writeBody(
  file: StagedFile,
  { chunks, length, algorithm, expected, requireLastingAccess }: ObjectBody,
  count: (chunk: Uint8Array) => void,
): Promise<Pick<Received, "md5" | "checksum">> {
  const digest = digestOf(length, algorithm);
  try {
    for await (const chunk of chunks) {
      count(chunk);
      countBuffer(chunk.length);
      await digest.update(chunk);
      await file.write(chunk);
    }
    await requireLastingAccess();
    return verify(await digest.digest(), algorithm, expected());
  } finally {
    digest.discard();
  }
}

function verify(
  { md5, checksum }: Digests,
  algorithm: ChecksumAlgorithm | null,
  client: ReturnType<ObjectBody["expected"]>,
): Pick<Received, "md5" | "checksum"> {
  const found = checksum?.toString("base64") ?? null;
  if (client.md5 !== null && client.md5 !== md5.toString("base64")) {
    throw new S3Error("BadDigest", { algorithm: "Content-MD5" });
  }
  if (client.checksum !== null && client.checksum !== found) {
    throw new S3Error("XAmzContentChecksumMismatch", { algorithm: algorithm ?? "" });
  }
  return { md5: md5.toString("hex"), checksum: found };
}

const tooLarge = (limit: number) => new S3Error("EntityTooLarge", { limit });
