// The pages in SQLite's write-ahead log, by the table or index that they belong to. The log's format:
// https://sqlite.org/fileformat2.html#walformat

import { closeSync, openSync, readSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";

const LOG_HEADER = 32;
const FRAME_HEADER = 24;

export interface LogGrowth {
  commits: number;
  bytes: number;
  pages: Map<string, number>;
}

/** Follows the log of a running service until it is closed. */
export class LogReader {
  readonly #log: string;
  readonly #db: DatabaseSync;
  readonly #before: Log;

  constructor(folder: string) {
    const file = databaseIn(folder);
    this.#log = `${file}-wal`;
    this.#db = new DatabaseSync(file, { readOnly: true });
    // While a snapshot is open, the log goes on at its end and does not begin anew.
    this.#db.exec("begin; select count(*) from setting");
    this.#before = readLog(this.#log);
  }

  /** What was added since; null if the log began anew all the same, because nothing in it was left to copy. */
  close(): LogGrowth | null {
    const { frames, frameBytes, salt } = readLog(this.#log);
    this.#db.exec("rollback");
    const names = new Map<number, string>();
    for (const { name, pageno } of this.#db.prepare("select name, pageno from dbstat").all())
      names.set(Number(pageno), String(name));
    this.#db.close();
    if (salt !== this.#before.salt) return null;
    const added = frames.slice(this.#before.frames.length);
    const pages = new Map<string, number>();
    for (const { page } of added) {
      const name = names.get(page) ?? "free pages";
      pages.set(name, (pages.get(name) ?? 0) + 1);
    }
    const commits = added.filter(({ endsCommit }) => endsCommit).length;
    return { commits, bytes: added.length * frameBytes, pages };
  }
}

/** How many jobs were submitted so far. */
export function countSubmitted(folder: string): number {
  const db = new DatabaseSync(databaseIn(folder), { readOnly: true });
  const { seq } = db.prepare("select max(seq) as seq from job").get() as { seq: number | null };
  db.close();
  return seq ?? 0;
}

const databaseIn = (folder: string) => path.join(folder, "freehold.db");

interface Log {
  salt: string;
  frameBytes: number;
  frames: { page: number; endsCommit: boolean }[];
}

/** Frames with another salt are left from before the log began anew. */
function readLog(file: string): Log {
  const log = openSync(file, "r");
  try {
    const header = Buffer.alloc(LOG_HEADER);
    readSync(log, header, 0, LOG_HEADER, 0);
    const frameBytes = FRAME_HEADER + header.readUInt32BE(8);
    const salt = header.toString("hex", 16, 24);
    const frames: Log["frames"] = [];
    const frame = Buffer.alloc(FRAME_HEADER);
    for (let at = LOG_HEADER; readSync(log, frame, 0, FRAME_HEADER, at) > 0; at += frameBytes) {
      if (frame.toString("hex", 8, 16) !== salt) break;
      frames.push({ page: frame.readUInt32BE(0), endsCommit: frame.readUInt32BE(4) > 0 });
    }
    return { salt, frameBytes, frames };
  } finally {
    closeSync(log);
  }
}
