// A SQLite store as a file: copied whole while a service writes to it, and examined before anybody
// trusts it. Both take as long as the disk and may not run on a service's event loop.

import { closeSync, openSync, readSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { NewerSchema } from "../migrations.ts";
import { schemaKnown } from "./open.ts";

export interface Examined {
  /** The number of its schema. */
  schema: number;
  bytes: number;
  /** Rows of every table, by its name. */
  rows: Record<string, number>;
}

/** Its message goes on where the file's name leaves off: "is damaged: ...". */
export class NotAStore extends Error {
  override readonly name = "NotAStore";
}

const HEADER = "SQLite format 3\0";
/** Where these are not, it is somebody else's database. */
const OURS = ["account", "api_key", "endpoint", "job", "worker"];

/**
 * Copies what is committed now to a file that is not there or empty. It is one read of one
 * snapshot: the service goes on writing meanwhile, and what was deleted is not carried along.
 */
export function copySqlite(from: string, to: string): void {
  const db = new DatabaseSync(from, { readOnly: true });
  try {
    db.exec("pragma busy_timeout = 5000");
    db.prepare("vacuum into ?").run(to);
  } finally {
    db.close();
  }
}

/**
 * Reads all of a file that nobody else uses, and leaves it without files beside it. Throws NotAStore
 * where it is damaged or not ours, NewerSchema where a newer Freehold wrote it.
 */
export function examineSqlite(file: string): Examined {
  if (!hasHeader(file)) throw new NotAStore("is not a Freehold store: it is no SQLite database");
  const db = new DatabaseSync(file);
  try {
    db.exec("pragma journal_mode = delete");
    const { user_version: schema } = db.prepare("pragma user_version").get() as {
      user_version: number;
    };
    const tables = tablesOf(db);
    if (schema === 0 || !OURS.every((name) => tables.includes(name))) {
      throw new NotAStore("is not a Freehold store: its tables are others");
    }
    if (schema > schemaKnown()) throw new NewerSchema(schema, schemaKnown());
    checkWhole(db);
    return { schema, bytes: statSync(file).size, rows: countRows(db, tables) };
  } catch (error) {
    if (error instanceof NotAStore || error instanceof NewerSchema) throw error;
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

export function tablesOf(db: DatabaseSync): string[] {
  const all = db
    .prepare(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name",
    )
    .all() as { name: string }[];
  return all.map(({ name }) => name);
}

function checkWhole(db: DatabaseSync): void {
  const [found] = db.prepare("pragma integrity_check(1)").all() as { integrity_check: string }[];
  if (found?.integrity_check !== "ok") {
    const said = found?.integrity_check.replace(/\s+/g, " ") ?? "it cannot be read";
    throw new NotAStore(`is damaged: ${said}`);
  }
  const orphans = db.prepare("pragma foreign_key_check").all();
  if (orphans.length > 0)
    throw new NotAStore("is damaged: rows refer to others that are not there");
}

function countRows(db: DatabaseSync, tables: string[]): Record<string, number> {
  const counted = tables.map((name) => {
    const { n } = db.prepare(`select count(*) as n from "${name}"`).get() as { n: number };
    return [name, n] as const;
  });
  return Object.fromEntries(counted);
}
