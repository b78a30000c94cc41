// The signature that a request claims, from its Authorization header or from a presigned URL.

import { S3Error } from "../../../domain/s3/s3-error.ts";
import { readAmzTime, type SignatureScope } from "../../../domain/s3/signature.ts";
import type { S3Request } from "./s3-request.ts";

export interface ClaimedSignature {
  accessKeyId: string;
  scope: SignatureScope;
  /** yyyymmddThhmmssZ, and as an instant. */
  time: string;
  at: number;
  signedHeaders: string[];
  signature: string;
  payloadHash: string;
  /** How long a presigned URL is valid; null for a header. */
  expiresS: number | null;
}

/** A presigned URL of Signature Version 2. */
export interface ClaimedV2 {
  accessKeyId: string;
  expiresAt: number;
  /** Base64. */
  signature: string;
}

const MAX_EXPIRES_S = 604_800;

/** Null if the request is no such URL. */
export function readSignatureV2({ parameters, header }: S3Request): ClaimedV2 | null {
  const accessKeyId = parameters.get("AWSAccessKeyId");
  const signature = parameters.get("Signature");
  if (accessKeyId === undefined || signature === undefined) return null;
  if (header("x-amz-security-token") ?? parameters.get("x-amz-security-token")) {
    throw new S3Error("ExpiredToken");
  }
  const expires = parameters.get("Expires") ?? "";
  if (/^\d{1,11}$/.test(expires)) {
    return { accessKeyId, signature, expiresAt: Number(expires) * 1_000 };
  }
  throw denied("Expires must be the seconds since 1970 until which the URL is valid.");
}

/** Throws AccessDenied if the request is not signed. */
export function readSignature(request: S3Request): ClaimedSignature {
  const { parameters } = request;
  if (request.header("x-amz-security-token") ?? parameters.get("X-Amz-Security-Token")) {
    throw new S3Error("ExpiredToken");
  }
  if (parameters.has("X-Amz-Signature")) return fromQuery(request);
  const header = request.header("authorization");
  if (header === undefined) throw notSigned(request);
  return fromHeader(request, header);
}

function notSigned({ method, key, header }: S3Request): S3Error {
  const isForm = header("content-type")?.toLowerCase().startsWith("multipart/form-data");
  if (method !== "POST" || key !== "" || !isForm) {
    return denied("The request is not signed. Sign it with an S3 key.");
  }
  const detail =
    "Uploads by a form with a policy are not offered. Give the browser a presigned URL and let it send the " +
    'file with PUT: generate_presigned_url("put_object", ...) in boto3, getSignedUrl with PutObjectCommand in JavaScript.';
  return new S3Error("NotImplemented", { detail });
}

function fromHeader(request: S3Request, header: string): ClaimedSignature {
  const [algorithm, rest = ""] = splitOnce(header.trim(), " ");
  if (algorithm !== "AWS4-HMAC-SHA256") {
    const detail =
      "The header Authorization must have Signature Version 4 (AWS4-HMAC-SHA256). Set it in the client: " +
      'signature_version "s3v4" in boto3 and the command line of AWS, signature_v2 = False in s3cmd.';
    throw new S3Error("InvalidRequest", { detail });
  }
  const fields = new Map(rest.split(",").map((each) => splitOnce(each.trim(), "=")));
  const payloadHash = request.header("x-amz-content-sha256");
  if (payloadHash === undefined) {
    const detail = "The header x-amz-content-sha256 is missing.";
    throw new S3Error("InvalidRequest", { detail });
  }
  const time = request.header("x-amz-date") ?? amzTimeOf(request.header("date"));
  return complete({
    credential: fields.get("Credential"),
    signedHeaders: fields.get("SignedHeaders"),
    signature: fields.get("Signature"),
    time,
    payloadHash,
    expiresS: null,
  });
}

function fromQuery({ parameters, header }: S3Request): ClaimedSignature {
  const expires = parameters.get("X-Amz-Expires") ?? "";
  const expiresS = Number(expires);
  if (!/^\d{1,6}$/.test(expires) || expiresS < 1 || expiresS > MAX_EXPIRES_S) {
    throw denied(`X-Amz-Expires must be from 1 to ${MAX_EXPIRES_S} seconds.`);
  }
  if (parameters.get("X-Amz-Algorithm") !== "AWS4-HMAC-SHA256") {
    throw denied("X-Amz-Algorithm must be AWS4-HMAC-SHA256.");
  }
  return complete({
    credential: parameters.get("X-Amz-Credential"),
    signedHeaders: parameters.get("X-Amz-SignedHeaders"),
    signature: parameters.get("X-Amz-Signature"),
    time: parameters.get("X-Amz-Date"),
    payloadHash:
      parameters.get("X-Amz-Content-Sha256") ??
      header("x-amz-content-sha256") ??
      "UNSIGNED-PAYLOAD",
    expiresS,
  });
}

interface Fields {
  credential: string | undefined;
  signedHeaders: string | undefined;
  signature: string | undefined;
  time: string | undefined;
  payloadHash: string;
  expiresS: number | null;
}

function complete({ credential = "", time = "", ...fields }: Fields): ClaimedSignature {
  const { signedHeaders = "", signature = "", payloadHash, expiresS } = fields;
  const [accessKeyId = "", date = "", region = "", service, end] = credential.split("/");
  const at = readAmzTime(time);
  const isWhole = service === "s3" && end === "aws4_request" && /^[0-9a-f]{64}$/.test(signature);
  if (!isWhole || at === null || accessKeyId === "" || region === "") {
    throw denied(
      "The signature is not complete: it needs a credential for s3, a date, and a value.",
    );
  }
  if (date !== time.slice(0, 8)) throw new S3Error("SignatureDoesNotMatch");
  const headers = signedHeaders.toLowerCase().split(";");
  return {
    accessKeyId,
    scope: { date, region },
    time,
    at,
    signedHeaders: headers,
    signature,
    payloadHash,
    expiresS,
  };
}

function amzTimeOf(date: string | undefined): string | undefined {
  const at = Date.parse(date ?? "");
  if (Number.isNaN(at)) return undefined;
  return new Date(at).toISOString().replace(/[-:]|\.\d+/g, "");
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

export const denied = (detail: string) => new S3Error("AccessDenied", { detail });
