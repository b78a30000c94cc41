// Deleting objects. Folders that exist only because S3 wrote something in them go with their last
// object, as a prefix does.

import { type Conditions, requireDeletable } from "../../domain/s3/conditions.ts";
import type { ObjectPath } from "../../domain/s3/object-key.ts";
import type { S3Key } from "../../domain/s3/s3-key.ts";
import type { Names, VolumeFiles } from "../../drivers/volume-files.ts";
import { findObject } from "../../store/s3-object/s3-object.ts";
import { forgetObjects } from "../../transactions/s3/object.ts";
import { changingFiles } from "./file-errors.ts";
import { findCurrent } from "./read-object.ts";
import type { S3Deps } from "./s3-deps.ts";
import { readableFiles, requireVolume, type WritableVolume } from "./volume-access.ts";

/** The volume to delete from; null if it is empty. */
export async function deletableVolume(
  deps: S3Deps,
  key: S3Key,
  bucket: string,
): Promise<WritableVolume | null> {
  const volume = await requireVolume(deps, key, bucket, "write");
  const files = await readableFiles(deps, volume);
  return files && { volume, files };
}

/** Does nothing if the object does not exist, or if a folder is not empty. */
export async function deleteObject(
  deps: S3Deps,
  { volume, files }: WritableVolume,
  path: ObjectPath,
  conditions: Conditions,
): Promise<void> {
  const { key, names, isFolder } = path;
  await deps.locks.run(`${volume.id}/${key}`, () =>
    changingFiles(volume, async () => {
      if (conditions.ifMatch !== undefined) {
        requireDeletable(conditions, await findCurrent(deps, files, volume.id, path));
      }
      const before = isFolder ? null : await files.find(names);
      const isRemoved = isFolder ? await files.removeFolder(names) : await files.remove(names);
      if (!isRemoved) return;
      if (before) deps.rooms.place(volume, 0, before.size);
      const emptied = await removeEmptied(deps, volume.id, files, names.slice(0, -1));
      await deps.store.write(forgetObjects, volume.id, [key, ...emptied]);
    }),
  );
}

/** The keys of the folders that it removed. */
async function removeEmptied(
  { store }: S3Deps,
  volumeId: string,
  files: VolumeFiles,
  folder: Names,
): Promise<string[]> {
  const removed: string[] = [];
  for (let names = folder; names.length > 0; names = names.slice(0, -1)) {
    const key = `${names.join("/")}/`;
    const record = await store.read(findObject, volumeId, key);
    if (record?.etag !== "" || !(await files.removeFolder(names))) break;
    removed.push(key);
  }
  return removed;
}
