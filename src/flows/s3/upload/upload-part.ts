// Uploading a part, from a body or from another object. A part that is uploaded again replaces the
// one before.

import { readCopyRange } from "../../../domain/s3/byte-range.ts";
import { S3Error } from "../../../domain/s3/s3-error.ts";
import type { S3Key } from "../../../domain/s3/s3-key.ts";
import { MAX_PART_NUMBER, type Part } from "../../../domain/s3/upload.ts";
import { replacePart } from "../../../transactions/s3/upload.ts";
import { bytesAsBody, type CopySource, openSource } from "../copy-object.ts";
import { MAX_PUT_BYTES } from "../put-object.ts";
import { type ObjectBody, receiveBody } from "../receive-body.ts";
import type { S3Deps } from "../s3-deps.ts";
import { writableVolume } from "../volume-access.ts";
import { requireUpload, type UploadAddress } from "./create-upload.ts";

export interface PartAddress extends UploadAddress {
  number: number;
}

export async function uploadPart(
  deps: S3Deps,
  key: S3Key,
  { number, ...address }: PartAddress,
  body: ObjectBody,
): Promise<Part> {
  const { store, clock, ids, rooms } = deps;
  requirePartNumber(number);
  const target = await writableVolume(deps, key, address.bucket);
  const { id, algorithm } = await requireUpload(deps, address);
  const options = { name: `part-${id}-${number}-${ids.short(8)}`, maxBytes: MAX_PUT_BYTES };
  const checked = { ...body, algorithm: body.algorithm ?? algorithm };
  const { staged, facts, md5, checksum } = await receiveBody(deps, target, checked, options);
  const { size } = facts;
  const part: Part = { number, staged, etag: md5, size, checksum, uploadedAt: clock.now() };
  const replaced = await store.write(replacePart, id, part);
  const obsolete = replaced === undefined ? staged : replaced?.staged;
  if (obsolete) {
    await target.files.discardStaged(obsolete);
    rooms.release(target.volume, replaced?.size ?? size);
  }
  if (replaced === undefined) throw new S3Error("NoSuchUpload", { uploadId: id });
  return part;
}

interface PartSource extends CopySource, Pick<ObjectBody, "requireLastingAccess"> {
  range: string | undefined;
}

export async function uploadPartCopy(
  deps: S3Deps,
  key: S3Key,
  address: PartAddress,
  { range, requireLastingAccess, ...source }: PartSource,
): Promise<Part> {
  const opened = await openSource(deps, key, source);
  try {
    const bytes = readCopyRange(range, opened.object.size);
    const body = { ...bytesAsBody(opened, bytes), requireLastingAccess };
    return await uploadPart(deps, key, address, body);
  } finally {
    await opened.file?.close();
  }
}

function requirePartNumber(number: number): void {
  if (Number.isInteger(number) && number >= 1 && number <= MAX_PART_NUMBER) return;
  const detail = `A part number is a whole number from 1 to ${MAX_PART_NUMBER}.`;
  throw new S3Error("InvalidArgument", { detail });
}
