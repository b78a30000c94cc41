// The body of a request as the flows receive it: decoded, verified, and read only when it is asked for.

import { createHash } from "node:crypto";
import { MIB } from "../../../base/units.ts";
import {
  type ChecksumAlgorithm,
  checksumAlgorithms,
  checksumDigest,
  checksumHeader,
  readAlgorithm,
} from "../../../domain/s3/checksum.ts";
import { S3Error } from "../../../domain/s3/s3-error.ts";
import { requireLastingAccess } from "../../../flows/s3/credentials.ts";
import type { ObjectBody } from "../../../flows/s3/receive-body.ts";
import type { Authenticated } from "./authenticate.ts";
import { decodeChunked } from "./chunked-body.ts";
import type { S3Request } from "./s3-request.ts";

const UNSIGNED = "UNSIGNED-PAYLOAD";
const UNSIGNED_TRAILER = "STREAMING-UNSIGNED-PAYLOAD-TRAILER";
const SIGNED_CHUNKS = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
const SIGNED_TRAILER = `${SIGNED_CHUNKS}-TRAILER`;

/** Lists of keys and parts. */
const MAX_TEXT_BYTES = 4 * MIB;

export function bodyOf(request: S3Request, authenticated: Authenticated): ObjectBody {
  const trailers = new Map<string, string>();
  const { algorithm, inTrailer } = announcedChecksum(request);
  const md5 = request.header("content-md5") ?? null;
  if (md5 !== null && Buffer.from(md5, "base64").length !== 16) {
    throw new S3Error("InvalidDigest", { header: "Content-MD5" });
  }
  const header = algorithm && checksumHeader(algorithm);
  return {
    chunks: decoded(request, authenticated, trailers),
    requireLastingAccess: () => requireLastingAccess(authenticated.key, authenticated.access),
    length: declaredLength(request),
    algorithm,
    expected() {
      const checksum = header && (inTrailer ? trailers.get(header) : request.header(header));
      // A trailer that was announced and did not come is a body that was cut off.
      if (inTrailer && header && checksum === undefined) throw new S3Error("IncompleteBody");
      return { md5, checksum: checksum ?? null };
    },
  };
}

/** The whole body as text, for lists of keys and parts. */
export async function readText(request: S3Request, authenticated: Authenticated): Promise<string> {
  const { chunks, algorithm, expected, ...body } = bodyOf(request, authenticated);
  const all: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_TEXT_BYTES) throw new S3Error("EntityTooLarge", { limit: MAX_TEXT_BYTES });
    all.push(chunk);
  }
  await body.requireLastingAccess();
  const text = Buffer.concat(all);
  const { md5, checksum } = expected();
  if (md5 !== null && createHash("md5").update(text).digest("base64") !== md5) {
    throw new S3Error("BadDigest", { algorithm: "Content-MD5" });
  }
  if (algorithm && checksum !== null) {
    const digest = checksumDigest(algorithm);
    digest.update(text);
    if (digest.digest().toString("base64") !== checksum) {
      throw new S3Error("XAmzContentChecksumMismatch", { algorithm });
    }
  }
  return text.toString("utf8");
}

function announcedChecksum(request: S3Request): {
  algorithm: ChecksumAlgorithm | null;
  inTrailer: boolean;
} {
  const trailer = request.header("x-amz-trailer")?.trim().toLowerCase();
  const named = checksumAlgorithms.find((each) => checksumHeader(each) === trailer);
  if (named) return { algorithm: named, inTrailer: true };
  const sent = checksumAlgorithms.find(
    (each) => request.header(checksumHeader(each)) !== undefined,
  );
  const chosen = readAlgorithm(request.header("x-amz-sdk-checksum-algorithm"));
  return { algorithm: sent ?? chosen, inTrailer: false };
}

function declaredLength(request: S3Request): number | null {
  const text = request.header("x-amz-decoded-content-length") ?? request.header("content-length");
  if (text === undefined) {
    return request.header("transfer-encoding") === undefined ? 0 : null;
  }
  if (!/^\d{1,15}$/.test(text)) {
    throw new S3Error("InvalidArgument", { detail: "The declared length is not a number." });
  }
  return Number(text);
}

async function* decoded(
  request: S3Request,
  { payloadHash: form, signing }: Authenticated,
  trailers: Map<string, string>,
): AsyncGenerator<Uint8Array> {
  const { message, response } = request;
  if (request.header("expect") !== undefined) response.writeContinue();
  // A refusal in the middle of a body still has to be answered, so the connection must stay.
  const raw: AsyncIterable<Uint8Array> = message.iterator({ destroyOnReturn: false });
  if (form === UNSIGNED) return yield* raw;
  if (/^[0-9a-f]{64}$/.test(form)) return yield* hashed(raw, form);
  const isSigned = form === SIGNED_CHUNKS || form === SIGNED_TRAILER;
  const isKnown = isSigned ? signing !== null : form === UNSIGNED_TRAILER;
  if (!isKnown) {
    const detail = `x-amz-content-sha256 is "${form.slice(0, 80)}", which is not a form of this request.`;
    throw new S3Error("InvalidArgument", { detail });
  }
  const chunked = {
    signing: isSigned ? signing : null,
    hasTrailer: form !== SIGNED_CHUNKS,
    decodedLength: request.header("x-amz-decoded-content-length") ? declaredLength(request) : null,
  };
  yield* decodeChunked(raw, chunked, trailers);
}

async function* hashed(
  chunks: AsyncIterable<Uint8Array>,
  expected: string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest("hex") !== expected) throw new S3Error("XAmzContentSHA256Mismatch");
}
