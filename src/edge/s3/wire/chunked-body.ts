// The aws-chunked form of a body: chunks with an optional signature each, then optional trailers. What
// it decodes is verified before the last byte is passed on, and nothing is stored until then.

import { createHash } from "node:crypto";
import { isSameText } from "../../../base/text/same-text.ts";
import { S3Error } from "../../../domain/s3/s3-error.ts";
import type { Signer } from "../../../domain/s3/signature.ts";
import { malformed, S3BodyReader } from "./body-reader.ts";

export interface ChunkedForm {
  /** Null for unsigned chunks. */
  signing: { signer: Signer; seed: string } | null;
  hasTrailer: boolean;
  /** The header x-amz-decoded-content-length; null if it was not sent. */
  decodedLength: number | null;
}

/** Yields the content; trailers are in `trailers`, in lower case, once it has ended. */
export async function* decodeChunked(
  chunks: AsyncIterable<Uint8Array>,
  form: ChunkedForm,
  trailers: Map<string, string>,
): AsyncGenerator<Uint8Array> {
  const reader = new S3BodyReader(chunks);
  let previous = form.signing?.seed ?? "";
  let total = 0;
  for (;;) {
    const { size, signature } = await readChunkHead(reader);
    const hash = form.signing && createHash("sha256");
    for await (const piece of reader.bytes(size)) {
      hash?.update(piece);
      total += piece.length;
      yield piece;
    }
    if (form.signing && hash) {
      requireSignature(signature, form.signing.signer.ofChunk(previous, hash.digest("hex")));
      previous = signature;
    }
    if (size === 0) break;
    if ((await reader.line()) !== "") throw malformed();
  }
  if (form.decodedLength !== null && total !== form.decodedLength) {
    throw new S3Error("IncompleteBody");
  }
  await readTrailers(reader, form, previous, trailers);
}

async function readChunkHead(reader: S3BodyReader): Promise<{ size: number; signature: string }> {
  const line = await reader.line();
  if (line === null) throw new S3Error("IncompleteBody");
  const [, size, signature = ""] =
    /^([0-9a-f]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(line) ?? [];
  if (size === undefined) throw malformed();
  return { size: Number.parseInt(size, 16), signature };
}

async function readTrailers(
  reader: S3BodyReader,
  { signing, hasTrailer }: ChunkedForm,
  previous: string,
  trailers: Map<string, string>,
): Promise<void> {
  let signature = "";
  let signed = "";
  for (let line = await reader.line(); line; line = await reader.line()) {
    const at = line.indexOf(":");
    if (at < 1 || !hasTrailer) throw malformed();
    const [name, value] = [line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()];
    if (name === "x-amz-trailer-signature") signature = value;
    else {
      trailers.set(name, value);
      signed += `${name}:${value}\n`;
    }
  }
  if (!(await reader.isAtEnd())) throw malformed();
  if (signing && hasTrailer) {
    requireSignature(signature, signing.signer.ofTrailer(previous, signed));
  }
}

function requireSignature(sent: string, computed: string): void {
  if (!isSameText(sent, computed)) throw new S3Error("SignatureDoesNotMatch");
}
