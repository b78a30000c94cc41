// The tables `s3_upload` and `s3_part`: multipart uploads that are not completed.

import type { ObjectHeaders } from "../../domain/s3/object.ts";
import type { Part, Upload } from "../../domain/s3/upload.ts";
import { columnList } from "../engine/row/column-list.ts";
import { change, row, rows, type Tx } from "../engine/statement.ts";

interface UploadRow {
  id: string;
  volume_id: string;
  key: string;
  headers: string;
  algorithm: Upload["algorithm"];
  checksum_type: Upload["checksumType"];
  key_id: string;
  created_at: number;
}

const UPLOAD_COLUMNS = columnList<UploadRow>()(
  "id",
  "volume_id",
  "key",
  "headers",
  "algorithm",
  "checksum_type",
  "key_id",
  "created_at",
);

interface PartRow {
  number: number;
  staged: string;
  etag: string;
  size: number;
  checksum: string | null;
  uploaded_at: number;
}

const PART_COLUMNS = columnList<PartRow>()(
  "number",
  "staged",
  "etag",
  "size",
  "checksum",
  "uploaded_at",
);

export function* insertUpload(upload: Upload): Tx<void> {
  yield* change(
    `insert into s3_upload
       (id, volume_id, key, headers, algorithm, checksum_type, key_id, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    upload.id,
    upload.volumeId,
    upload.key,
    JSON.stringify(upload.headers),
    upload.algorithm,
    upload.checksumType,
    upload.keyId,
    upload.createdAt,
  );
}

export function* findUpload(id: string, volumeId: string, key: string): Tx<Upload | undefined> {
  const found = yield* row<UploadRow>(
    `select ${UPLOAD_COLUMNS} from s3_upload where id = ? and volume_id = ? and key = ?`,
    id,
    volumeId,
    key,
  );
  return found && uploadFrom(found);
}

/** Locks it until the surrounding transaction ends; false if it has ended. */
export function* lockUpload(id: string): Tx<boolean> {
  const found = yield* row("select id from s3_upload where id = ? /*+ for update */", id);
  return found !== undefined;
}

/** Ordered by key, then by the time of creation. */
export function* uploadsOf(volumeId: string): Tx<Upload[]> {
  const found = yield* rows<UploadRow>(
    `select ${UPLOAD_COLUMNS} from s3_upload where volume_id = ? order by key, created_at, id`,
    volumeId,
  );
  return found.map(uploadFrom);
}

/** In ascending order. */
export function* partsOfUpload(uploadId: string): Tx<Part[]> {
  const found = yield* rows<PartRow>(
    `select ${PART_COLUMNS} from s3_part where upload_id = ? order by number`,
    uploadId,
  );
  return found.map(partFrom);
}

export function* savePart(uploadId: string, part: Part): Tx<void> {
  yield* change(
    `insert into s3_part (upload_id, number, staged, etag, size, checksum, uploaded_at)
     values (?, ?, ?, ?, ?, ?, ?)
     on conflict (upload_id, number) do update set staged = excluded.staged, etag = excluded.etag,
       size = excluded.size, checksum = excluded.checksum, uploaded_at = excluded.uploaded_at`,
    uploadId,
    part.number,
    part.staged,
    part.etag,
    part.size,
    part.checksum,
    part.uploadedAt,
  );
}

/** Removes an upload with its parts. */
export function* deleteUpload(id: string): Tx<void> {
  yield* change("delete from s3_part where upload_id = ?", id);
  yield* change("delete from s3_upload where id = ?", id);
}

export function* deleteUploadsOf(volumeId: string): Tx<void> {
  yield* change(
    "delete from s3_part where upload_id in (select id from s3_upload where volume_id = ?)",
    volumeId,
  );
  yield* change("delete from s3_upload where volume_id = ?", volumeId);
}

function uploadFrom(found: UploadRow): Upload {
  return {
    id: found.id,
    volumeId: found.volume_id,
    key: found.key,
    headers: JSON.parse(found.headers) as ObjectHeaders,
    algorithm: found.algorithm,
    checksumType: found.checksum_type,
    keyId: found.key_id,
    createdAt: found.created_at,
  };
}

function partFrom(found: PartRow): Part {
  return {
    number: found.number,
    staged: found.staged,
    etag: found.etag,
    size: found.size,
    checksum: found.checksum,
    uploadedAt: found.uploaded_at,
  };
}
