// Creating, finding and aborting multipart uploads.

import type { ChecksumAlgorithm, ChecksumType } from "../../../domain/s3/checksum.ts";
import type { ObjectHeaders } from "../../../domain/s3/object.ts";
import type { ObjectPath } from "../../../domain/s3/object-key.ts";
import { S3Error } from "../../../domain/s3/s3-error.ts";
import type { S3Key } from "../../../domain/s3/s3-key.ts";
import type { Upload } from "../../../domain/s3/upload.ts";
import { findUpload, partsOfUpload } from "../../../store/s3-upload/s3-upload.ts";
import { beginUpload, endUpload } from "../../../transactions/s3/upload.ts";
import type { S3Deps } from "../s3-deps.ts";
import { type WritableVolume, writableVolume } from "../volume-access.ts";

export interface NewUpload {
  bucket: string;
  path: ObjectPath;
  headers: ObjectHeaders;
  algorithm: ChecksumAlgorithm | null;
  checksumType: ChecksumType | null;
}

/** The upload's id. */
export async function createUpload(
  deps: S3Deps,
  key: S3Key,
  { bucket, path, ...options }: NewUpload,
): Promise<Upload> {
  if (path.isFolder) {
    const detail = "A key that ends with a slash is a folder; it has no parts.";
    throw new S3Error("InvalidRequest", { detail });
  }
  const { volume } = await writableVolume(deps, key, bucket);
  const { algorithm } = options;
  const usual = algorithm === "CRC64NVME" ? "FULL_OBJECT" : "COMPOSITE";
  const upload: Upload = {
    id: deps.ids.short(32),
    volumeId: volume.id,
    key: path.key,
    headers: options.headers,
    algorithm,
    checksumType: algorithm && (options.checksumType ?? usual),
    keyId: key.id,
    createdAt: deps.clock.now(),
  };
  await deps.store.write(beginUpload, upload);
  return upload;
}

/** An upload of a key, and where a request names it. */
export interface UploadAddress {
  bucket: string;
  path: ObjectPath;
  uploadId: string;
}

/** Throws NoSuchUpload. */
export async function requireUpload(
  { store }: Pick<S3Deps, "store">,
  { bucket, path, uploadId }: UploadAddress,
): Promise<Upload> {
  const upload = await store.read(findUpload, uploadId, bucket, path.key);
  if (!upload) throw new S3Error("NoSuchUpload", { uploadId });
  return upload;
}

export async function abortUpload(deps: S3Deps, key: S3Key, address: UploadAddress): Promise<void> {
  const target = await writableVolume(deps, key, address.bucket);
  const { id } = await requireUpload(deps, address);
  const sizes = await deps.store.read(partsOfUpload, id);
  const staged = await deps.store.write(endUpload, id);
  await discardParts(target, staged);
  for (const { size } of sizes) deps.rooms.release(target.volume, size);
}

export async function discardParts({ files }: WritableVolume, staged: string[]): Promise<void> {
  for (const name of staged) await files.discardStaged(name);
}
