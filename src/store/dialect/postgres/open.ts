// PostgreSQL behind the same verbs: a connection for the turns, some for reads, one for wake-ups.

import { type Clock, systemClock } from "../../../base/clock.ts";
import type { Verb } from "../../statement.ts";
import type { Store } from "../../store.ts";
import type { TurnCounts } from "../../turn-counts.ts";
import { Wakes } from "../../wakes.ts";
import { NewerSchema } from "../migrations.ts";
import { explain } from "./cannot-open.ts";
import { refuse } from "./faults.ts";
import { Link } from "./link.ts";
import { migrate } from "./migrate.ts";
import { Reads } from "./reads.ts";
import { Signals } from "./signals.ts";
import { PostgresTurns } from "./turns.ts";

export interface PostgresOptions {
  clock?: Clock;
  /** Connections for reads; one more writes and one listens. */
  readConnections?: number;
}

/**
 * Connects and brings the schema up to date. Throws CannotOpen with one sentence where it cannot, and
 * NewerSchema.
 */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Store> {
  const { clock = systemClock, readConnections = 6 } = options;
  const store = new PostgresStore(url, clock, readConnections);
  try {
    await migrate(url);
    await store.open();
    return store;
  } catch (error) {
    await store.close();
    throw error instanceof NewerSchema ? error : explain(error, url);
  }
}

const NOW = {
  sql: "select floor(extract(epoch from clock_timestamp()) * 1000) as now",
  params: [],
  rows: true,
};

class PostgresStore implements Store {
  readonly dialect = "postgres";
  readonly alone = false;
  readonly version = null;
  readonly wakes = new Wakes();
  readonly #writing: Link;
  readonly #turns: PostgresTurns;
  readonly #reads: Reads;
  readonly #signals: Signals;

  constructor(url: string, clock: Clock, readConnections: number) {
    this.#writing = new Link(url, clock, "turns");
    this.#turns = new PostgresTurns(this.#writing, this.wakes, clock);
    this.#reads = new Reads(url, clock, readConnections);
    this.#signals = new Signals(url, this.wakes, clock);
  }

  get turns(): TurnCounts {
    return this.#turns.counts;
  }

  async open(): Promise<void> {
    await this.#writing.session();
    await this.#signals.open();
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
      return await this.#reads.run(verb(...args));
    } catch (error) {
      throw refuse(error);
    }
  }

  async time(): Promise<number> {
    const [rows] = await this.#reads.ask([NOW]);
    return (rows as { now: number }[])[0]!.now;
  }

  async close(): Promise<void> {
    await this.#turns.settle();
    await Promise.all([this.#signals.close(), this.#reads.close(), this.#writing.close()]);
  }
}
