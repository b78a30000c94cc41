// Authentication by Signature Version 4, and by presigned URLs of Version 2. It is complete before any byte of
// a body is read.

import { isSameText } from "../../../base/text/same-text.ts";
import { MINUTE_MS } from "../../../base/units.ts";
import {
  canonicalRequest,
  reencodedPath,
  type SignedRequest,
} from "../../../domain/s3/canonical-request.ts";
import { S3Error } from "../../../domain/s3/s3-error.ts";
import type { S3Key } from "../../../domain/s3/s3-key.ts";
import { Signer } from "../../../domain/s3/signature.ts";
import { signatureV2 } from "../../../domain/s3/signature-v2.ts";
import type { LastingAccess } from "../../../flows/access-watch.ts";
import { credentialsOf, lastingS3Access } from "../../../flows/s3/credentials.ts";
import type { S3Deps } from "../../../flows/s3/s3-deps.ts";
import {
  type ClaimedSignature,
  type ClaimedV2,
  denied,
  readSignature,
  readSignatureV2,
} from "./claimed-signature.ts";
import type { S3Request } from "./s3-request.ts";

export interface Authenticated {
  key: S3Key;
  /** The form or the hash of the body: what x-amz-content-sha256 says. */
  payloadHash: string;
  /** What signs the chunks of a body; null for a request that is not signed. */
  signing: { signer: Signer; seed: string } | null;
  /** Bodies, copies and downloads may take long, and need it to their end. */
  access: LastingAccess;
}

interface RequestTime {
  now: number;
  /** How far the client's clock may differ. */
  maxSkewMs: number;
}

/** Throws S3Error. */
export async function authenticate(
  deps: S3Deps,
  request: S3Request,
  time: RequestTime,
): Promise<Authenticated> {
  const presigned = readSignatureV2(request);
  if (presigned) return authenticateV2(deps, request, presigned, time);
  const claim = readSignature(request);
  requireTime(claim, time);
  requireSignedHeaders(request, claim);
  const canonical = canonicalForms(request, claim);
  const { payloadHash, signature: seed } = claim;
  const { key, proof: signer } = await findKey(deps, claim.accessKeyId, (secret) => {
    const signer = new Signer(secret, claim.scope, claim.time);
    return canonical.some((each) => isSameText(signer.ofRequest(each), seed)) && signer;
  });
  return { key, payloadHash, signing: { signer, seed }, access: lastingS3Access(deps, key) };
}

async function authenticateV2(
  deps: S3Deps,
  request: S3Request,
  { accessKeyId, expiresAt, signature }: ClaimedV2,
  { now }: RequestTime,
): Promise<Authenticated> {
  if (now > expiresAt) throw denied("Request has expired.");
  const { method, parameters, message } = request;
  const paths = [...new Set([request.path, reencodedPath(request.path)])];
  const { key } = await findKey(deps, accessKeyId, (secret) =>
    paths.some((path) => {
      const form = { method, path, parameters, headers: message.headers };
      return isSameText(signatureV2(secret, form), signature);
    }),
  );
  const access = lastingS3Access(deps, key);
  return { key, payloadHash: "UNSIGNED-PAYLOAD", signing: null, access };
}

/** The key whose secret proves the signature, and the proof. */
async function findKey<Proof>(
  deps: S3Deps,
  accessKeyId: string,
  prove: (secret: string) => Proof | false,
): Promise<{ key: S3Key; proof: Proof }> {
  const credentials = await credentialsOf(deps, accessKeyId);
  if (credentials.length === 0) throw new S3Error("InvalidAccessKeyId", { accessKeyId });
  for (const { key, secret } of credentials) {
    const proof = prove(secret);
    if (proof === false) continue;
    deps.uses.note(key.id);
    return { key, proof };
  }
  throw new S3Error("SignatureDoesNotMatch");
}

function requireTime({ at, expiresS }: ClaimedSignature, { now, maxSkewMs }: RequestTime): void {
  const isEarly = at - now > maxSkewMs;
  if (expiresS !== null) {
    if (isEarly) throw denied("The request is not valid yet.");
    if (now > at + expiresS * 1_000) throw denied("Request has expired.");
    return;
  }
  if (!isEarly && now - at <= maxSkewMs) return;
  const facts = { minutes: Math.round(maxSkewMs / MINUTE_MS), now: new Date(now).toISOString() };
  throw new S3Error("RequestTimeTooSkewed", facts);
}

/** A header that changes the meaning of a request must be signed. */
function requireSignedHeaders({ message }: S3Request, { signedHeaders }: ClaimedSignature): void {
  if (!signedHeaders.includes("host")) throw denied("The header host must be signed.");
  const unsigned = Object.keys(message.headers).filter((name) => {
    return name.startsWith("x-amz-") && !signedHeaders.includes(name);
  });
  if (unsigned.length === 0) return;
  throw denied(`There were headers present in the request which were not signed: ${unsigned}.`);
}

/** The path as it was sent, and as S3 would encode it: clients sign one or the other. */
function canonicalForms(request: S3Request, claim: ClaimedSignature): string[] {
  const { method, path, query, message } = request;
  const { signedHeaders, payloadHash } = claim;
  const form: SignedRequest = {
    method,
    path,
    query,
    signedHeaders,
    payloadHash,
    rawHeaders: message.rawHeaders,
  };
  const reencoded = reencodedPath(path);
  const forms = reencoded === path ? [form] : [form, { ...form, path: reencoded }];
  return forms.map(canonicalRequest);
}
