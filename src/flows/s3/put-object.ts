// Writing an object. Readers see the object before or the new one, never a part.

import { GIB } from "../../base/units.ts";
import type { Checksum } from "../../domain/s3/checksum.ts";
import type { Conditions } from "../../domain/s3/conditions.ts";
import type { ObjectHeaders } from "../../domain/s3/object.ts";
import type { ObjectPath } from "../../domain/s3/object-key.ts";
import { S3Error } from "../../domain/s3/s3-error.ts";
import type { S3Key } from "../../domain/s3/s3-key.ts";
import { recordObject } from "../../transactions/s3/object.ts";
import { changingFiles } from "./file-errors.ts";
import { checkConditions, placeObject } from "./place-object.ts";
import { type ObjectBody, receiveBody } from "./receive-body.ts";
import type { S3Deps } from "./s3-deps.ts";
import { type WritableVolume, writableVolume } from "./volume-access.ts";

export const MAX_PUT_BYTES = 5 * GIB;

export interface NewObject {
  bucket: string;
  path: ObjectPath;
  headers: ObjectHeaders;
  conditions: Conditions;
  body: ObjectBody;
}

export interface WrittenObject {
  etag: string;
  checksum: Checksum | null;
}

export async function putObject(
  deps: S3Deps,
  key: S3Key,
  { bucket, ...object }: NewObject,
): Promise<WrittenObject> {
  const target = await writableVolume(deps, key, bucket);
  await checkConditions(deps, target, object.path, object.conditions);
  if (object.path.isFolder) return putFolder(deps, target, object);
  return storeObject(deps, target, object);
}

export async function storeObject(
  deps: S3Deps,
  target: WritableVolume,
  { path, headers, conditions, body }: Omit<NewObject, "bucket">,
): Promise<WrittenObject> {
  const options = { name: `put-${deps.ids.short(20)}`, maxBytes: MAX_PUT_BYTES };
  const { staged, facts, md5, checksum: value } = await receiveBody(deps, target, body, options);
  const { algorithm } = body;
  const checksum: Checksum | null =
    value !== null && algorithm ? { algorithm, value, type: "FULL_OBJECT" } : null;
  try {
    const record = { ...facts, etag: md5, headers, checksum };
    await placeObject(deps, target, { path, staged, record, conditions });
  } catch (error) {
    // Where only its record was not written, the file is in its place, and counts there.
    if (await target.files.discardStaged(staged)) deps.rooms.release(target.volume, facts.size);
    throw error;
  }
  return { etag: md5, checksum };
}

/** A key that ends with a slash is a folder, which cannot hold bytes of its own. */
async function putFolder(
  { store }: S3Deps,
  { volume, files }: WritableVolume,
  { path, body }: Omit<NewObject, "bucket">,
): Promise<WrittenObject> {
  for await (const chunk of body.chunks) {
    if (chunk.length === 0) continue;
    const detail = "A key that ends with a slash is a folder; its body must be empty.";
    throw new S3Error("InvalidRequest", { detail });
  }
  await body.requireLastingAccess();
  const created = await changingFiles(volume, () => files.makeFolder(path.names));
  const etag = "d41d8cd98f00b204e9800998ecf8427e";
  const record = { key: path.key, etag, size: 0, mtimeNs: "", inode: "" };
  const parents = created.map((names) => `${names.join("/")}/`).filter((each) => each !== path.key);
  await store.write(recordObject, volume.id, { ...record, headers: {}, checksum: null }, parents);
  return { etag, checksum: null };
}
