// The store on SQLite, through node:sqlite: one file, one process. Statements and commits run on the event loop:
// they take microseconds, and a batch shares one commit. The sync of a commit takes as long as the disk does and
// runs beside the event loop.

import { openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { CommitCounts } from "../commit-counts.ts";
import { Gathering } from "../gathering.ts";
import { GroupCommit } from "../group-commit.ts";
import { Notifier } from "../notifier.ts";
import type { Tx } from "../statement.ts";
import type { Store } from "../store.ts";
import { storeUnavailable } from "../unavailable.ts";
import { Checkpoints } from "./checkpoints.ts";
import { SqliteConnection } from "./connection.ts";
import { DiskReserve } from "./disk-reserve.ts";
import { DurableReads } from "./durable-reads.ts";
import { toFault } from "./faults.ts";
import { PAGE_SIZE } from "./file.ts";
import { LogSync } from "./log-sync.ts";
import { migrate, schemaObjects } from "./migrate.ts";
import { ownerOnly } from "./owner-only.ts";
import { sqliteTransactions } from "./transactions.ts";

/** How long the write-ahead log may get where SQLite checkpoints by itself. */
const AUTO_CHECKPOINT_BYTES = 4 << 20;

export interface SqliteOptions {
  /** True if batches wait for callers that may come again, by the machine's own time. */
  gathers?: boolean;
}

/** Opens or creates the database file and brings its schema up to date. Throws SchemaRefused. */
export function openSqlite(file: string, { gathers = false }: SqliteOptions = {}): Store {
  const db = new DatabaseSync(ownerOnly(file));
  try {
    db.exec(`
      pragma busy_timeout = 5000;
      pragma page_size = ${PAGE_SIZE};
      pragma journal_mode = wal;
      pragma synchronous = normal;
      pragma foreign_keys = on;
      pragma cache_size = -32000;
      pragma temp_store = memory;
      pragma wal_autocheckpoint = 0;
      pragma journal_size_limit = 67108864;
    `);
    migrate(db);
    return new SqliteStore(db, file, gathers);
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * With `synchronous = full`, SQLite syncs its write-ahead log after each commit, on the event loop. `normal`
 * omits this sync and no other; LogSync does it instead.
 */
function openLog(db: DatabaseSync, file: string): LogSync {
  const { journal_mode } = db.prepare("pragma journal_mode").get() as { journal_mode: string };
  if (journal_mode === "wal") return new LogSync(openSync(`${file}-wal`, "r+"));
  throw new Error("its file system does not support a write-ahead log: it lacks shared memory");
}

/** The schema of a database file as SQL, for the committed snapshot. */
export function schemaOf(file: string): string {
  const db = new DatabaseSync(file, { readOnly: true });
  const statements = schemaObjects(db).map(({ sql }) => `${sql};`);
  db.close();
  return `${statements.join("\n\n")}\n`;
}

function pageSizeOf(db: DatabaseSync): number {
  return (db.prepare("pragma page_size").get() as { page_size: number }).page_size;
}

/** Measures the bytes of free pages in the database file. */
function freePages(db: DatabaseSync): () => number {
  const pageSize = pageSizeOf(db);
  const measure = db.prepare("pragma freelist_count");
  return () => pageSize * (measure.get() as { freelist_count: number }).freelist_count;
}

class SqliteStore implements Store {
  readonly dialect = "sqlite";
  readonly alone = true;
  readonly notifier = new Notifier();
  readonly #db: DatabaseSync;
  readonly #connection: SqliteConnection;
  readonly #groupCommit: GroupCommit;
  readonly #log: LogSync;
  readonly #durableReads: DurableReads;
  readonly #checkpoints: Checkpoints;
  readonly #reserve: DiskReserve;
  #changes = 0;

  constructor(db: DatabaseSync, file: string, gathers: boolean) {
    this.#db = db;
    this.#log = openLog(db, file);
    this.#durableReads = new DurableReads(file);
    const measure = db.prepare("pragma wal_checkpoint(noop)");
    const pages = () => {
      const { log, checkpointed } = measure.get() as { log: number; checkpointed: number };
      return log - checkpointed;
    };
    // Without the thread, SQLite checkpoints by itself, and now and then a commit takes longer.
    const pageSize = pageSizeOf(db);
    const checkpointPages = Math.ceil(AUTO_CHECKPOINT_BYTES / pageSize);
    const failed = () => db.exec(`pragma wal_autocheckpoint = ${checkpointPages}`);
    this.#checkpoints = new Checkpoints(file, pageSize, pages, failed);
    this.#reserve = new DiskReserve(file, freePages(db));
    const transactions = sqliteTransactions(db, {
      beforeCommit: (bytes, durable) => {
        this.#reserve.afterChange(++this.#changes);
        if (durable && this.#log.isLong(bytes)) this.#durableReads.hold();
      },
      sync: this.#sync,
      rest: (done) => this.#checkpoints.afterBatch(done),
      durableQuery: () => (this.#durableReads.isHolding ? this.#durableReads.query : null),
    });
    this.#connection = new SqliteConnection(transactions, () => this.#reserve.release());
    const gathering = gathers ? new Gathering() : null;
    this.#groupCommit = new GroupCommit(this.#connection, this.notifier, { gathering });
  }

  readonly #sync = (bytes: number, done: (error: Error | null) => void): void => {
    this.#log.sync(bytes, (error) => {
      this.#durableReads.release();
      done(error && storeUnavailable(error));
    });
  };

  write<Args extends unknown[], Result>(
    transaction: (...args: Args) => Tx<Result>,
    ...args: Args
  ): Promise<Result> {
    return this.#groupCommit.run(transaction as never, args as never) as Promise<Result>;
  }

  async read<Args extends unknown[], Result>(
    transaction: (...args: Args) => Tx<Result>,
    ...args: Args
  ): Promise<Result> {
    try {
      return await this.#connection.read(transaction(...args));
    } catch (error) {
      throw toFault(error);
    }
  }

  get commits(): CommitCounts {
    return this.#groupCommit.counts;
  }

  /** Null during a long sync: reads then show the state before the last change. */
  get version(): number | null {
    return this.#durableReads.isHolding ? null : this.#changes;
  }

  get isFull(): boolean {
    return this.#reserve.isFull;
  }

  async time(): Promise<null> {
    return null;
  }

  async close(): Promise<void> {
    await this.#groupCommit.settle();
    this.#reserve.close();
    await this.#checkpoints.close();
    this.#durableReads.close();
    this.#db.close();
    this.#log.close();
  }
}
