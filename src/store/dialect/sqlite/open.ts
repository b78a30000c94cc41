// SQLite through node:sqlite: one file, one process. Statements and commits run on the event loop,
// for they take microseconds and a commit is shared by a whole turn; the sync that makes a commit
// durable takes as long as the disk likes, and so runs beside it.

import { openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { Fault } from "../../../domain/fault.ts";
import type { Verb } from "../../statement.ts";
import type { Store } from "../../store.ts";
import { Turns } from "../../turn.ts";
import type { TurnCounts } from "../../turn-counts.ts";
import { Wakes } from "../../wakes.ts";
import { migrationsOf, NewerSchema } from "../migrations.ts";
import { Checkpoints } from "./checkpoints.ts";
import { DurableReads } from "./durable-reads.ts";
import { LogSync } from "./log-sync.ts";
import { sqliteTransactions } from "./transactions.ts";

/** Opens the database file, made if need be, and brings its schema up to date. */
export function openSqlite(file: string): Store {
  const db = new DatabaseSync(file);
  db.exec(`
    pragma busy_timeout = 5000;
    pragma journal_mode = wal;
    pragma synchronous = normal;
    pragma foreign_keys = on;
    pragma cache_size = -32000;
    pragma temp_store = memory;
    pragma wal_autocheckpoint = 0;
    pragma journal_size_limit = 67108864;
  `);
  migrate(db);
  return new SqliteStore(db, file);
}

/**
 * SQLite's own `synchronous = full` is the sync of its write-ahead log after each commit, in the
 * middle of the event loop. With `normal` it leaves out that one and no other; we do it ourselves.
 */
function openLog(db: DatabaseSync, file: string): LogSync {
  const { journal_mode } = db.prepare("pragma journal_mode").get() as { journal_mode: string };
  if (journal_mode === "wal") return new LogSync(openSync(`${file}-wal`, "r+"));
  throw new Error("its file system has no room for a write-ahead log: shared memory is missing");
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
  readonly alone = true;
  readonly wakes = new Wakes();
  readonly #db: DatabaseSync;
  readonly #turns: Turns;
  readonly #log: LogSync;
  readonly #durable: DurableReads;
  readonly #checkpoints: Checkpoints;
  #written = 0;

  constructor(db: DatabaseSync, file: string) {
    this.#db = db;
    this.#log = openLog(db, file);
    this.#durable = new DurableReads(file);
    const measure = db.prepare("pragma wal_checkpoint(noop)");
    const pages = () => {
      const { log, checkpointed } = measure.get() as { log: number; checkpointed: number };
      return log - checkpointed;
    };
    // Without the thread, SQLite's own way: now and then a commit takes longer.
    const failed = () => db.exec("pragma wal_autocheckpoint = 1000");
    this.#checkpoints = new Checkpoints(file, pages, failed);
    const durability = {
      beforeCommit: (bytes: number, toSync: boolean) => {
        this.#written++;
        if (toSync && !this.#log.atOnce(bytes)) this.#durable.hold();
      },
      sync: this.#sync,
      rest: (done: () => void) => this.#checkpoints.afterTurn(done),
      durable: () => (this.#durable.holding ? this.#durable.query : null),
    };
    this.#turns = new Turns(sqliteTransactions(db, durability), this.wakes, refuse);
  }

  readonly #sync = (bytes: number, done: (error: Error | null) => void): void => {
    this.#log.sync(bytes, (error) => {
      this.#durable.letGo();
      done(error && unavailable(error));
    });
  };

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
      return await this.#turns.read(verb(...args));
    } catch (error) {
      throw refuse(error);
    }
  }

  get turns(): TurnCounts {
    return this.#turns.counts;
  }

  /** While a long sync holds what is read as it was, what is read is not what was written last. */
  get version(): number | null {
    return this.#durable.holding ? null : this.#written;
  }

  async time(): Promise<null> {
    return null;
  }

  async close(): Promise<void> {
    await this.#turns.settle();
    await this.#checkpoints.close();
    this.#durable.close();
    this.#db.close();
    this.#log.close();
  }
}

/** What a caller is told when the database fails: a full disk is not a programming error. */
function refuse(error: unknown): unknown {
  if (error instanceof Fault || !isSqliteError(error)) return error;
  const primary = error.errcode & 0xff;
  const away = [5, 6, 8, 10, 13, 14].includes(primary); // busy, locked, read-only, I/O, full, no file
  return away ? unavailable(error) : error;
}

function unavailable(cause: Error): Fault {
  const fault = new Fault("store_unavailable", {});
  fault.cause = cause;
  return fault;
}

function isSqliteError(error: unknown): error is Error & { errcode: number } {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number";
}

/** The number of the schema that this version makes. */
export function schemaKnown(): number {
  return migrationsOf("sqlite").length;
}

function migrate(db: DatabaseSync): void {
  const migrations = migrationsOf("sqlite");
  const known = migrations.length;
  const { user_version: found } = db.prepare("pragma user_version").get() as {
    user_version: number;
  };
  if (found > known) {
    db.close();
    throw new NewerSchema(found, known);
  }
  for (let version = found; version < known; version++) {
    const sql = migrations[version]!;
    db.exec(`begin immediate;\n${sql}\npragma user_version = ${version + 1};\ncommit;`);
  }
}
