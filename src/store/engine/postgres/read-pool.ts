// A pool of connections for reads. They cannot write. The queries of a round trip see one state of the database; a
// transaction that makes several round trips may see a change between two of them.

import { type Clock, systemTicks } from "../../../base/clock.ts";
import type { Query, Tx } from "../statement.ts";
import { interleave } from "./interleave.ts";
import { type ConnectionOptions, PersistentConnection } from "./wire/persistent-connection.ts";
import { toFault } from "./wire/verdict.ts";

interface ReadRequest {
  queries: Query[];
  resolve: (results: unknown[]) => void;
  reject: (error: unknown) => void;
}

interface PooledConnection {
  connection: PersistentConnection;
  isBusy: boolean;
  /** In ticks. */
  busySince: number;
}

/** Waiting requests share a round trip, up to this many. */
const MAX_REQUESTS_PER_TRIP = 64;
/** For this long requests wait for a round trip under way, which is usually back by then. */
const EXPECTED_TRIP_MS = 2;
/** After a longer wait, a read whose connection was lost is not tried again. */
const MAX_RETRY_AFTER_MS = 1_000;

const refuseNote = () => {
  throw new Error("a transaction that only reads tried to write");
};

export class ReadPool {
  readonly #connections: PooledConnection[];
  readonly #clock: Clock;
  #requests: ReadRequest[] = [];
  #isScheduled = false;
  #cancelWait: (() => void) | null = null;

  constructor(options: Omit<ConnectionOptions, "role" | "settings">, size: number) {
    // A round trip outside a transaction is one: all of its queries read the snapshot that the first one takes.
    const settings =
      "set default_transaction_read_only = on; set default_transaction_isolation = 'repeatable read';";
    this.#connections = Array.from({ length: size }, () => ({
      connection: new PersistentConnection({ ...options, role: "reads", settings }),
      isBusy: false,
      busySince: 0,
    }));
    this.#clock = options.clock;
  }

  async run<Result>(transaction: Tx<Result>): Promise<Result> {
    const trips = interleave([transaction], refuseNote);
    let trip = trips.next();
    while (!trip.done) trip = trips.next(await this.query(trip.value));
    return trip.value[0] as Result;
  }

  query(queries: Query[]): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      this.#requests.push({ queries, resolve, reject });
      this.#schedule();
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#connections.map(({ connection }) => connection.close()));
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // Requests that are read from their sockets in this pass of the event loop share the round trip.
    setImmediate(() => {
      this.#isScheduled = false;
      this.#sendNext();
    });
  }

  #sendNext(): void {
    if (this.#requests.length === 0) return;
    // The first idle one, so that no more connections open than are needed at once.
    const pooled = this.#connections.find(({ isBusy }) => !isBusy);
    if (!pooled || this.#expectsTrip()) return;
    pooled.isBusy = true;
    pooled.busySince = systemTicks();
    const requests = this.#requests.splice(0, MAX_REQUESTS_PER_TRIP);
    void this.#serve(pooled.connection, requests).then(() => {
      pooled.isBusy = false;
      this.#sendNext();
    });
    this.#sendNext();
  }

  /** Returns true if a round trip began so recently that waiting for it costs less than another one. */
  #expectsTrip(): boolean {
    const since = systemTicks() - EXPECTED_TRIP_MS;
    if (!this.#connections.some(({ isBusy, busySince }) => isBusy && busySince > since))
      return false;
    this.#cancelWait ??= this.#clock.after(EXPECTED_TRIP_MS, () => {
      this.#cancelWait = null;
      this.#sendNext();
    });
    return true;
  }

  async #serve(connection: PersistentConnection, requests: ReadRequest[]): Promise<void> {
    try {
      const queries = requests.flatMap((request) => request.queries);
      const results = await this.#send(connection, queries);
      let start = 0;
      for (const { queries, resolve } of requests) {
        resolve(results.slice(start, start + queries.length));
        start += queries.length;
      }
    } catch (error) {
      if (requests.length === 1 || toFault(error) !== error) {
        for (const { reject } of requests) reject(toFault(error));
        return;
      }
      // One request is at fault, and the server skipped the others: send each alone.
      for (const request of requests) await this.#serve(connection, [request]);
    }
  }

  /** Tries again on a new session if the first was lost: a read changes nothing. */
  async #send(connection: PersistentConnection, queries: Query[]): Promise<unknown[]> {
    const startedAt = systemTicks();
    const session = await connection.session();
    try {
      return await session.run(queries);
    } catch (error) {
      if (!session.lost || systemTicks() - startedAt > MAX_RETRY_AFTER_MS) throw error;
      return (await connection.session()).run(queries);
    }
  }
}
