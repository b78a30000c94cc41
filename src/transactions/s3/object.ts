// What S3 records about the files of a volume.

import type { ObjectRecord } from "../../domain/s3/object.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { forgetObject, forgetObjectsOf, saveObject } from "../../store/s3-object/s3-object.ts";
import { deleteUpload, deleteUploadsOf } from "../../store/s3-upload/s3-upload.ts";

/** Records a written object, and the folders that were created for it. */
export function* recordObject(
  volumeId: string,
  record: ObjectRecord,
  createdFolders: readonly string[],
): Tx<void> {
  yield* saveObject(volumeId, record);
  const facts = { etag: "", size: 0, mtimeNs: "", inode: "", headers: {}, checksum: null };
  for (const key of createdFolders) yield* saveObject(volumeId, { key, ...facts });
}

/** Records the object of an upload that is complete. */
export function* recordCompleted(
  uploadId: string,
  ...object: Parameters<typeof recordObject>
): Tx<void> {
  yield* recordObject(...object);
  yield* deleteUpload(uploadId);
}

export function* forgetObjects(volumeId: string, keys: readonly string[]): Tx<void> {
  for (const key of keys) yield* forgetObject(volumeId, key);
}

/** Everything that S3 knows about a volume that is removed. */
export function* forgetVolume(volumeId: string): Tx<void> {
  yield* forgetObjectsOf(volumeId);
  yield* deleteUploadsOf(volumeId);
}
