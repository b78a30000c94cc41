// Listing multipart uploads and their parts.

import type { S3Key } from "../../../domain/s3/s3-key.ts";
import type { Part, Upload } from "../../../domain/s3/upload.ts";
import { partsOfUpload, uploadsOf } from "../../../store/s3-upload/s3-upload.ts";
import type { S3Deps } from "../s3-deps.ts";
import { requireVolume } from "../volume-access.ts";
import { requireUpload, type UploadAddress } from "./create-upload.ts";

export interface UploadPage<Item> {
  items: Item[];
  isTruncated: boolean;
}

export async function listUploads(
  deps: S3Deps,
  key: S3Key,
  bucket: string,
  request: { prefix: string; keyMarker: string; uploadIdMarker: string; max: number },
): Promise<UploadPage<Upload>> {
  await requireVolume(deps, key, bucket, "read");
  const { prefix, keyMarker, uploadIdMarker, max } = request;
  const all = await deps.store.read(uploadsOf, bucket);
  const mark = all.findIndex(({ id }) => id === uploadIdMarker);
  const from = all.slice(uploadIdMarker !== "" && mark >= 0 ? mark + 1 : 0);
  const found = from.filter((upload) => {
    const isAfter = uploadIdMarker !== "" || keyMarker === "" || upload.key > keyMarker;
    return isAfter && upload.key.startsWith(prefix);
  });
  return pageOf(found, max);
}

export async function listParts(
  deps: S3Deps,
  key: S3Key,
  address: UploadAddress,
  { after, max }: { after: number; max: number },
): Promise<UploadPage<Part> & { upload: Upload }> {
  await requireVolume(deps, key, address.bucket, "read");
  const upload = await requireUpload(deps, address);
  const parts = await deps.store.read(partsOfUpload, upload.id);
  return {
    upload,
    ...pageOf(
      parts.filter(({ number }) => number > after),
      max,
    ),
  };
}

function pageOf<Item>(all: Item[], max: number): UploadPage<Item> {
  return { items: all.slice(0, max), isTruncated: all.length > max };
}
