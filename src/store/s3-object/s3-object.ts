// The table `s3_object`: what S3 knows about files that it wrote.

import type { Checksum } from "../../domain/s3/checksum.ts";
import type { ObjectHeaders, ObjectRecord } from "../../domain/s3/object.ts";
import { columnList } from "../engine/row/column-list.ts";
import { change, row, rows, type Tx } from "../engine/statement.ts";

interface Row {
  key: string;
  etag: string;
  size: number;
  mtime_ns: string;
  inode: string;
  headers: string;
  checksum: string | null;
}

const COLUMNS = columnList<Row>()(
  "key",
  "etag",
  "size",
  "mtime_ns",
  "inode",
  "headers",
  "checksum",
);

export function* saveObject(volumeId: string, record: ObjectRecord): Tx<void> {
  const { key, etag, size, mtimeNs, inode, headers, checksum } = record;
  yield* change(
    `insert into s3_object (volume_id, key, etag, size, mtime_ns, inode, headers, checksum)
     values (?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (volume_id, key) do update set etag = excluded.etag, size = excluded.size,
       mtime_ns = excluded.mtime_ns, inode = excluded.inode, headers = excluded.headers,
       checksum = excluded.checksum`,
    volumeId,
    key,
    etag,
    size,
    mtimeNs,
    inode,
    JSON.stringify(headers),
    checksum && JSON.stringify(checksum),
  );
}

export function* findObject(volumeId: string, key: string): Tx<ObjectRecord | undefined> {
  const found = yield* row<Row>(
    `select ${COLUMNS} from s3_object where volume_id = ? and key = ?`,
    volumeId,
    key,
  );
  return found && fromRow(found);
}

/** The records from `first` to `last`, inclusive, by key. */
export function* objectsBetween(
  volumeId: string,
  first: string,
  last: string,
): Tx<Map<string, ObjectRecord>> {
  const found = yield* rows<Row>(
    `select ${COLUMNS} from s3_object where volume_id = ? and key >= ? and key <= ?`,
    volumeId,
    first,
    last,
  );
  return new Map(found.map((each) => [each.key, fromRow(each)]));
}

export function* forgetObject(volumeId: string, key: string): Tx<void> {
  yield* change("delete from s3_object where volume_id = ? and key = ?", volumeId, key);
}

export function* forgetObjectsOf(volumeId: string): Tx<void> {
  yield* change("delete from s3_object where volume_id = ?", volumeId);
}

function fromRow(found: Row): ObjectRecord {
  return {
    key: found.key,
    etag: found.etag,
    size: found.size,
    mtimeNs: found.mtime_ns,
    inode: found.inode,
    headers: JSON.parse(found.headers) as ObjectHeaders,
    checksum: found.checksum === null ? null : (JSON.parse(found.checksum) as Checksum),
  };
}
