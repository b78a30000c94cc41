// Makes a staged file the object of a key, in one step.

import { type Conditions, requireWritable } from "../../domain/s3/conditions.ts";
import type { ObjectRecord } from "../../domain/s3/object.ts";
import type { ObjectPath } from "../../domain/s3/object-key.ts";
import { recordCompleted, recordObject } from "../../transactions/s3/object.ts";
import { changingFiles } from "./file-errors.ts";
import { findCurrent } from "./read-object.ts";
import type { S3Deps } from "./s3-deps.ts";
import type { WritableVolume } from "./volume-access.ts";

export interface ObjectPlacement {
  path: ObjectPath;
  /** The name of the staged file. */
  staged: string;
  record: Omit<ObjectRecord, "key">;
  conditions: Conditions;
  /** The multipart upload that ends with it. */
  uploadId?: string;
}

/** If it fails, the file is still staged, unless only its record could not be written. */
export async function placeObject(
  deps: S3Deps,
  { volume, files }: WritableVolume,
  { path, staged, record, conditions, uploadId }: ObjectPlacement,
): Promise<void> {
  await deps.locks.run(`${volume.id}/${path.key}`, async () => {
    const current = await findCurrent(deps, files, volume.id, path);
    requireWritable(conditions, current, path.key);
    const isNew = conditions.ifNoneMatch?.trim() === "*";
    const { created } = await changingFiles(volume, () => files.place(staged, path.names, isNew));
    deps.rooms.place(volume, record.size, current?.size ?? 0);
    const folders = created.map((names) => `${names.join("/")}/`);
    const object = { key: path.key, ...record };
    if (uploadId === undefined) await deps.store.write(recordObject, volume.id, object, folders);
    else await deps.store.write(recordCompleted, uploadId, volume.id, object, folders);
  });
}

/** Early, before a body is read; `placeObject` checks again. */
export async function checkConditions(
  deps: S3Deps,
  { volume, files }: WritableVolume,
  path: ObjectPath,
  conditions: Conditions,
): Promise<void> {
  if (conditions.ifMatch === undefined && conditions.ifNoneMatch === undefined) return;
  requireWritable(conditions, await findCurrent(deps, files, volume.id, path), path.key);
}
