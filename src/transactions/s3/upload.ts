// Changes of multipart uploads.

import type { Part, Upload } from "../../domain/s3/upload.ts";
import type { Tx } from "../../store/engine/statement.ts";
import {
  deleteUpload,
  insertUpload,
  lockUpload,
  partsOfUpload,
  savePart,
} from "../../store/s3-upload/s3-upload.ts";

export function* beginUpload(upload: Upload): Tx<void> {
  yield* insertUpload(upload);
}

/** The part that it replaces, if any; undefined if the upload has ended. */
export function* replacePart(uploadId: string, part: Part): Tx<Part | null | undefined> {
  if (!(yield* lockUpload(uploadId))) return undefined;
  const before = (yield* partsOfUpload(uploadId)).find(({ number }) => number === part.number);
  yield* savePart(uploadId, part);
  return before ?? null;
}

/** The staged files that are not needed any more. */
export function* endUpload(uploadId: string): Tx<string[]> {
  const staged = (yield* partsOfUpload(uploadId)).map((part) => part.staged);
  yield* deleteUpload(uploadId);
  return staged;
}
