// The rows of a SQLite store, for moving them to another database. No other process may use the store.

import { DatabaseSync } from "node:sqlite";
import type { Value } from "../statement.ts";
import { tablesOf } from "./migrate.ts";
import { openSqlite } from "./open.ts";

export interface Source {
  /** Every table, each after the tables that it refers to. */
  readonly tables: SourceTable[];
  /** The highest `seq` that a job ever had. */
  readonly lastJob: number;
  close(): void;
}

export interface SourceTable {
  name: string;
  columns: string[];
  rows: number;
  /** Every row, as values in the order of the columns. Integers are bigints. */
  read(): Iterable<Value[]>;
}

/** Brings the schema up to date first. Throws SchemaRefused. */
export async function openSource(file: string): Promise<Source> {
  await openSqlite(file).close();
  const db = new DatabaseSync(file, { readOnly: true });
  return {
    tables: byReference(tablesOf(db)).map((name) => tableOf(db, name)),
    lastJob: lastJob(db),
    close: () => db.close(),
  };
}

/** Every reference leads to an account. */
function byReference(names: string[]): string[] {
  return ["account", ...names.filter((name) => name !== "account")];
}

function tableOf(db: DatabaseSync, name: string): SourceTable {
  const found = db.prepare(`pragma table_info("${name}")`).all() as { name: string }[];
  const columns = found.map((column) => column.name);
  const { rows } = db.prepare(`select count(*) as rows from "${name}"`).get() as { rows: number };
  const list = columns.map((column) => `"${column}"`).join(", ");
  const all = db.prepare(`select ${list} from "${name}"`);
  all.setReadBigInts(true);
  all.setReturnArrays(true);
  return { name, columns, rows, read: () => all.iterate() as unknown as Iterable<Value[]> };
}

function lastJob(db: DatabaseSync): number {
  const found = db.prepare("select seq from sqlite_sequence where name = 'job'").get();
  return (found as { seq: number } | undefined)?.seq ?? 0;
}
