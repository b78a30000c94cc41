// SQLite through node:sqlite: one file, one process, every commit synced. All of it runs on the
// event loop: a statement takes microseconds, and a commit is shared by a whole turn.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { Fault } from "../../domain/fault.ts";
import type { Verb } from "../statement.ts";
import type { Store } from "../store.ts";
import { type Transactions, Turns } from "../turn.ts";
import { Wakes } from "../wakes.ts";

const MIGRATIONS = path.join(import.meta.dirname, "..", "migrations");

/** A data folder written by a newer Freehold than this one. */
export class NewerSchema extends Error {
  override readonly name = "NewerSchema";
  constructor(found: number, known: number) {
    super(
      `the data was written by a newer Freehold: its schema is ${found} and this version knows ${known}`,
    );
  }
}

/** Opens the database file, made if need be, and brings its schema up to date. */
export function openSqlite(file: string): Store {
  const db = new DatabaseSync(file);
  db.exec(`
    pragma busy_timeout = 5000;
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma foreign_keys = on;
    pragma cache_size = -32000;
    pragma temp_store = memory;
    pragma wal_autocheckpoint = 4000;
    pragma journal_size_limit = 67108864;
  `);
  migrate(db);
  return new SqliteStore(db);
}

/** The schema as SQL, for the committed snapshot. */
export function schemaOf(file: string): string {
  const db = new DatabaseSync(file, { readOnly: true });
  const all = db
    .prepare(
      "select sql from sqlite_schema where sql is not null and name not like 'sqlite_%' order by name",
    )
    .all() as { sql: string }[];
  db.close();
  return `${all.map(({ sql }) => `${sql};`).join("\n\n")}\n`;
}

class SqliteStore implements Store {
  readonly dialect = "sqlite";
  readonly wakes = new Wakes();
  readonly #db: DatabaseSync;
  readonly #turns: Turns;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#turns = new Turns(transactions(db), this.wakes, refuse);
  }

  write<Args extends unknown[], Result>(
    verb: (...args: Args) => Verb<Result>,
    ...args: Args
  ): Promise<Result> {
    return this.#turns.run(verb as never, args as never) as Promise<Result>;
  }

  async read<Args extends unknown[], Result>(
    verb: (...args: Args) => Verb<Result>,
    ...args: Args
  ): Promise<Result> {
    try {
      return this.#turns.drive(verb(...args), null);
    } catch (error) {
      throw refuse(error);
    }
  }

  async close(): Promise<void> {
    this.#turns.flush();
    this.#db.close();
  }
}

function transactions(db: DatabaseSync): Transactions {
  const prepared = new Map<string, StatementSync>();
  const begin = db.prepare("begin immediate");
  const commit = db.prepare("commit");
  const rollback = db.prepare("rollback");
  const mark = db.prepare("savepoint call");
  const keep = db.prepare("release call");
  const back = db.prepare("rollback to call");
  return {
    begin: () => void begin.run(),
    commit: () => void commit.run(),
    rollback: () => {
      if (db.isTransaction) rollback.run();
    },
    mark: () => void mark.run(),
    keep: () => void keep.run(),
    takeBack: () => {
      if (!db.isTransaction) return false;
      back.run();
      keep.run();
      return true;
    },
    query(sql, params, rows) {
      let statement = prepared.get(sql);
      if (!statement) {
        statement = db.prepare(sql);
        prepared.set(sql, statement);
      }
      if (rows) return statement.all(...(params as never[]));
      return Number(statement.run(...(params as never[])).changes);
    },
  };
}

/** What a caller is told when the database fails: a full disk is not a programming error. */
function refuse(error: unknown): unknown {
  if (error instanceof Fault || !isSqliteError(error)) return error;
  const primary = error.errcode & 0xff;
  const away = [5, 6, 8, 10, 13, 14].includes(primary); // busy, locked, read-only, I/O, full, no file
  if (!away) return error;
  const fault = new Fault("store_unavailable", {});
  fault.cause = error;
  return fault;
}

function isSqliteError(error: unknown): error is Error & { errcode: number } {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number";
}

function migrate(db: DatabaseSync): void {
  const files = readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith(".sql"))
    .sort();
  const known = files.length;
  const { user_version: found } = db.prepare("pragma user_version").get() as {
    user_version: number;
  };
  if (found > known) {
    db.close();
    throw new NewerSchema(found, known);
  }
  for (let version = found; version < known; version++) {
    const sql = readFileSync(path.join(MIGRATIONS, files[version]!), "utf8");
    db.exec(`begin immediate;\n${sql}\npragma user_version = ${version + 1};\ncommit;`);
  }
}
