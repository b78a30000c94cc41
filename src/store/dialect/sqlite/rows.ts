// A SQLite store that nobody else uses, read through from end to end to be moved elsewhere.

import { DatabaseSync } from "node:sqlite";
import type { Value } from "../../statement.ts";
import { tablesOf } from "./file.ts";
import { openSqlite } from "./open.ts";

export interface Source {
  /** Every table, each after those that it refers to. */
  readonly tables: SourceTable[];
  /** The greatest number that a job ever had. */
  readonly lastJob: number;
  close(): void;
}

export interface SourceTable {
  name: string;
  columns: string[];
  rows: number;
  /** Each row once, its values in the order of the columns; whole numbers are bigints. */
  read(): Iterable<Value[]>;
}

/** Brings the schema up to date first. Throws NewerSchema. */
export async function openSource(file: string): Promise<Source> {
  await openSqlite(file).close();
  const db = new DatabaseSync(file, { readOnly: true });
  return {
    tables: inOrder(tablesOf(db)).map((name) => tableOf(db, name)),
    lastJob: lastJob(db),
    close: () => db.close(),
  };
}

/** All references lead to the account. */
function inOrder(names: string[]): string[] {
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
