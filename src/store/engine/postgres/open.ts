// The store on PostgreSQL: one connection that writes, several that read, one for notifications.

import { type Clock, systemClock } from "../../../base/clock.ts";
import type { CommitCounts } from "../commit-counts.ts";
import { GroupCommit } from "../group-commit.ts";
import { SchemaRefused } from "../migrations.ts";
import { Notifier } from "../notifier.ts";
import type { Tx } from "../statement.ts";
import type { Store } from "../store.ts";
import { checkServer } from "./check-server.ts";
import { PostgresConnection } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { openErrorOf } from "./open-error.ts";
import { ReadPool } from "./read-pool.ts";
import { ReplicaNotifications } from "./replica-notifications.ts";
import { OneServer } from "./wire/one-server.ts";
import { PersistentConnection } from "./wire/persistent-connection.ts";
import { toFault } from "./wire/verdict.ts";

export interface PostgresOptions {
  clock?: Clock;
  readConnections?: number;
}

/** A call that waits longer for its batch to begin is refused: the server is too slow or unreachable. */
const QUEUE_TIMEOUT_MS = 10_000;

/** Connects and brings the schema up to date. Throws OpenError or SchemaRefused. */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Store> {
  const { clock = systemClock, readConnections = 6 } = options;
  const store = new PostgresStore(url, clock, readConnections);
  try {
    await checkServer(url);
    await migrate(url);
    await store.open();
    return store;
  } catch (error) {
    await store.close();
    throw error instanceof SchemaRefused ? error : openErrorOf(error, url);
  }
}

/**
 * The rows of several calls (../text/several.ts) find theirs one by one, by an index. A hash of the whole table would look as
 * good while it is empty.
 */
export const BY_INDEX = "set enable_hashjoin = off; set enable_mergejoin = off;";

const NOW = {
  sql: "select floor(extract(epoch from clock_timestamp()) * 1000) as now",
  params: [],
  rows: true,
};

class PostgresStore implements Store {
  readonly dialect = "postgres";
  readonly alone = false;
  /** The server's disk is its operator's; a full one makes the store unavailable. */
  readonly isFull = false;
  readonly version = null;
  readonly notifier = new Notifier();
  readonly #writer: PersistentConnection;
  readonly #groupCommit: GroupCommit;
  readonly #reads: ReadPool;
  readonly #notifications: ReplicaNotifications;

  constructor(url: string, clock: Clock, readConnections: number) {
    const options = { url, clock, oneServer: new OneServer() };
    this.#writer = new PersistentConnection({ ...options, role: "writes", settings: BY_INDEX });
    const connection = new PostgresConnection(this.#writer);
    const timeout = { clock, ms: QUEUE_TIMEOUT_MS };
    this.#groupCommit = new GroupCommit(connection, this.notifier, { timeout });
    this.#reads = new ReadPool(options, readConnections);
    this.#notifications = new ReplicaNotifications(options, this.notifier);
  }

  get commits(): CommitCounts {
    return this.#groupCommit.counts;
  }

  async open(): Promise<void> {
    await this.#writer.session();
    await this.#notifications.open();
  }

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
      return await this.#reads.run(transaction(...args));
    } catch (error) {
      throw toFault(error);
    }
  }

  async time(): Promise<number> {
    const [rows] = await this.#reads.query([NOW]);
    return (rows as { now: number }[])[0]!.now;
  }

  async close(): Promise<void> {
    await this.#groupCommit.settle();
    await Promise.all([this.#notifications.close(), this.#reads.close(), this.#writer.close()]);
  }
}
