// Copy and examination of a SQLite store's file. Both take as long as the disk does, so they must not run on the
// event loop of a service.

import { closeSync, openSync, readSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { refuseNewer, SchemaRefused } from "../migrations.ts";
import { knownVersion, tablesOf, versionOf } from "./migrate.ts";

/**
 * Bytes of a page in a new database and in a copy; an older database keeps its own. A commit writes every page that it
 * changes, and few bytes of each (docs/decisions/0043-small-pages.md).
 */
export const PAGE_SIZE = 1024;

export interface Examined {
  /** The number of its schema. */
  schema: number;
  bytes: number;
  /** The id of its installation; null in a store that no service has started on. */
  installation: string | null;
  /** Rows of every table, by its name. */
  rows: Record<string, number>;
}

/** The message continues a sentence that begins with the file's name: "is damaged: ...". */
export class NotAStore extends Error {
  override readonly name = "NotAStore";
}

const HEADER = "SQLite format 3\0";
/** A database without these tables is not a Freehold store. */
const REQUIRED_TABLES = ["account", "api_key", "endpoint", "job", "worker"];

/**
 * Copies the committed state to a file that is missing or empty, in one read of one snapshot, while the service
 * goes on writing. Deleted rows are not copied.
 */
export function copySqlite(from: string, to: string): void {
  const db = new DatabaseSync(from, { readOnly: true });
  try {
    db.exec(`pragma busy_timeout = 5000; pragma page_size = ${PAGE_SIZE}`);
    db.prepare("vacuum into ?").run(to);
  } finally {
    db.close();
  }
}

/**
 * Reads all of a file that no other process uses, and leaves no other files beside it. Throws NotAStore if the
 * file is damaged or not a Freehold store, SchemaRefused if a newer Freehold wrote it.
 */
export function examineSqlite(file: string): Examined {
  if (!hasHeader(file)) throw new NotAStore("is not a Freehold store: it is no SQLite database");
  const db = new DatabaseSync(file);
  try {
    db.exec("pragma journal_mode = delete");
    const schema = versionOf(db);
    const tables = tablesOf(db);
    if (schema === 0 || !REQUIRED_TABLES.every((name) => tables.includes(name))) {
      throw new NotAStore("is not a Freehold store: its tables are others");
    }
    refuseNewer(schema, knownVersion());
    checkIntegrity(db);
    const bytes = statSync(file).size;
    return { schema, bytes, installation: installationOf(db), rows: countRows(db, tables) };
  } catch (error) {
    if (error instanceof NotAStore || error instanceof SchemaRefused) throw error;
    throw new NotAStore(`is damaged: ${(error as Error).message}`);
  } finally {
    db.close();
  }
}

function hasHeader(file: string): boolean {
  const descriptor = openSync(file, "r");
  try {
    const start = Buffer.alloc(HEADER.length);
    readSync(descriptor, start, 0, start.length, 0);
    return start.toString("latin1") === HEADER;
  } finally {
    closeSync(descriptor);
  }
}

function installationOf(db: DatabaseSync): string | null {
  const query = db.prepare("select value from setting where name = 'installation'");
  return (query.get() as { value: string } | undefined)?.value ?? null;
}

function checkIntegrity(db: DatabaseSync): void {
  const [found] = db.prepare("pragma integrity_check(1)").all() as { integrity_check: string }[];
  if (found?.integrity_check !== "ok") {
    const reason = found?.integrity_check.replace(/\s+/g, " ") ?? "it cannot be read";
    throw new NotAStore(`is damaged: ${reason}`);
  }
  const orphans = db.prepare("pragma foreign_key_check").all();
  if (orphans.length > 0)
    throw new NotAStore("is damaged: rows refer to others that are not there");
}

function countRows(db: DatabaseSync, tables: string[]): Record<string, number> {
  const counts = tables.map((name) => {
    const { n } = db.prepare(`select count(*) as n from "${name}"`).get() as { n: number };
    return [name, n] as const;
  });
  return Object.fromEntries(counts);
}
