// Reading an object: its description, and its bytes.

import { describeFile, describeFolder, type S3Object } from "../../domain/s3/object.ts";
import type { ObjectPath } from "../../domain/s3/object-key.ts";
import { S3Error } from "../../domain/s3/s3-error.ts";
import type { S3Key } from "../../domain/s3/s3-key.ts";
import type { OpenFile, VolumeFiles } from "../../drivers/volume-files.ts";
import { findObject } from "../../store/s3-object/s3-object.ts";
import type { S3Deps } from "./s3-deps.ts";
import { readableFiles, requireVolume } from "./volume-access.ts";

export interface OpenObject {
  object: S3Object;
  /** Null for a folder, which has no bytes. It must be read or closed. */
  file: Pick<OpenFile, "read" | "readInto" | "close"> | null;
}

/** Throws NoSuchKey. */
export async function openObject(
  deps: S3Deps,
  key: S3Key,
  bucket: string,
  path: ObjectPath,
): Promise<OpenObject> {
  const volume = await requireVolume(deps, key, bucket, "read");
  const files = await readableFiles(deps, volume);
  if (path.isFolder) {
    const object = files && (await findFolder(files, path));
    if (object) return { object, file: null };
    throw new S3Error("NoSuchKey", { key: path.key });
  }
  const file = await files?.open(path.names);
  if (!file) throw new S3Error("NoSuchKey", { key: path.key });
  const record = await deps.store.read(findObject, bucket, path.key);
  return { object: describeFile(path.key, file.facts, record), file };
}

/** The object that a write would replace; null if there is none. */
export async function findCurrent(
  { store }: Pick<S3Deps, "store">,
  files: VolumeFiles,
  volumeId: string,
  path: ObjectPath,
): Promise<S3Object | null> {
  if (path.isFolder) return findFolder(files, path);
  const found = await files.find(path.names);
  if (!found || found.isFolder) return null;
  return describeFile(path.key, found, await store.read(findObject, volumeId, path.key));
}

async function findFolder(
  files: VolumeFiles,
  { key, names }: ObjectPath,
): Promise<S3Object | null> {
  const found = await files.find(names);
  return found?.isFolder ? describeFolder(key, found) : null;
}
