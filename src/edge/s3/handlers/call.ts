// What a handler of the S3 interface receives.

import type { Checksum, ChecksumAlgorithm } from "../../../domain/s3/checksum.ts";
import { type ObjectPath, readKey } from "../../../domain/s3/object-key.ts";
import type { S3Key } from "../../../domain/s3/s3-key.ts";
import { requireLastingAccess } from "../../../flows/s3/credentials.ts";
import type { S3Deps } from "../../../flows/s3/s3-deps.ts";
import type { Authenticated } from "../wire/authenticate.ts";
import type { S3Reply } from "../wire/reply.ts";
import type { S3Request } from "../wire/s3-request.ts";

export interface S3Call {
  deps: S3Deps;
  request: S3Request;
  /** The service's origin, as the client reaches it. */
  origin: string;
  authenticated: Authenticated;
  /** The caller's key. */
  by: S3Key;
  bucket: string;
}

export type Handler = (call: S3Call) => Promise<S3Reply>;

export const pathOf = ({ request }: S3Call): ObjectPath => readKey(request.key);

/** For work that may take long, before its result is stored. */
export const lastingAccessOf = ({ authenticated: { key, access } }: S3Call) => ({
  requireLastingAccess: () => requireLastingAccess(key, access),
});

/** An upload of the request's key. */
export function uploadOf(call: S3Call) {
  const uploadId = call.request.parameters.get("uploadId") ?? "";
  return { bucket: call.bucket, path: pathOf(call), uploadId };
}

export const isoTime = (instant: number) => new Date(instant).toISOString();
export const quoted = (etag: string) => `"${etag}"`;

type ChecksumElement = { readonly [Name in `Checksum${ChecksumAlgorithm}`]?: string };

export const checksumElement = (algorithm: ChecksumAlgorithm, value: string): ChecksumElement => ({
  [`Checksum${algorithm}`]: value,
});

export const checksumElements = ({ algorithm, value, type }: Checksum) => ({
  ...checksumElement(algorithm, value),
  ChecksumType: type,
});
