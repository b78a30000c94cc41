// Copying an object within the volumes of an account.

import type { ByteRange } from "../../domain/s3/byte-range.ts";
import { type Conditions, requireConditions } from "../../domain/s3/conditions.ts";
import type { ObjectHeaders, S3Object } from "../../domain/s3/object.ts";
import type { ObjectPath } from "../../domain/s3/object-key.ts";
import { S3Error } from "../../domain/s3/s3-error.ts";
import type { S3Key } from "../../domain/s3/s3-key.ts";
import { storeObject } from "./put-object.ts";
import { type OpenObject, openObject } from "./read-object.ts";
import type { ObjectBody } from "./receive-body.ts";
import type { S3Deps } from "./s3-deps.ts";
import { writableVolume } from "./volume-access.ts";

export interface CopySource {
  bucket: string;
  path: ObjectPath;
  conditions: Conditions;
}

export interface ObjectCopy {
  source: CopySource;
  bucket: string;
  path: ObjectPath;
  /** Null to keep the source's. */
  headers: ObjectHeaders | null;
  conditions: Conditions;
  requireLastingAccess: ObjectBody["requireLastingAccess"];
}

/** The new object's ETag. */
export async function copyObject(
  deps: S3Deps,
  key: S3Key,
  { source, bucket, path, headers, conditions, requireLastingAccess }: ObjectCopy,
): Promise<string> {
  const target = await writableVolume(deps, key, bucket);
  const isSelf = source.bucket === bucket && source.path.key === path.key;
  if (isSelf && headers === null) {
    const detail = "A copy to its own key must replace the metadata.";
    throw new S3Error("InvalidRequest", { detail });
  }
  if (path.isFolder || source.path.isFolder) {
    const detail = "A folder cannot be copied; copy the objects in it.";
    throw new S3Error("InvalidRequest", { detail });
  }
  const opened = await openSource(deps, key, source);
  try {
    const body = { ...bytesAsBody(opened, null), requireLastingAccess };
    const object = { path, headers: headers ?? opened.object.headers, conditions, body };
    return (await storeObject(deps, target, object)).etag;
  } finally {
    await opened.file?.close();
  }
}

/** Throws PreconditionFailed if a condition on the source is not met. */
export async function openSource(
  deps: S3Deps,
  key: S3Key,
  { bucket, path, conditions }: CopySource,
): Promise<OpenObject> {
  const opened = await openObject(deps, key, bucket, path);
  try {
    requireConditions(conditions, opened.object);
    return opened;
  } catch (error) {
    await opened.file?.close();
    throw error;
  }
}

/** The bytes of an object, or a range of them, as a body. */
export function bytesAsBody(
  { object, file }: { object: Pick<S3Object, "size">; file: OpenObject["file"] },
  range: ByteRange | null,
): Omit<ObjectBody, "requireLastingAccess"> {
  const { first, last } = range ?? { first: 0, last: object.size - 1 };
  return {
    chunks: bytesOf(file, first, last),
    length: last - first + 1,
    algorithm: null,
    expected: () => ({ md5: null, checksum: null }),
  };
}

/**
 * Opens the stream when the first chunk is asked for: a refusal before that needs none. A workload may cut the
 * file meanwhile, and a part of it must not pass for a copy.
 */
async function* bytesOf(
  file: OpenObject["file"],
  first: number,
  last: number,
): AsyncGenerator<Uint8Array> {
  if (!file) return;
  let missing = last - first + 1;
  for await (const chunk of file.read(first, last) as AsyncIterable<Uint8Array>) {
    missing -= chunk.length;
    yield chunk;
  }
  if (missing === 0) return;
  const detail =
    "The source became shorter while it was copied; nothing was stored. Retry the request.";
  throw new S3Error("SlowDown", { detail });
}
