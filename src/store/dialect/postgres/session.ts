// One connection to PostgreSQL, from its opening to its loss. A session that was lost stays lost:
// nobody can go on with a transaction on another one by mistake.

import pg from "pg";
import type { Clock } from "../../../base/clock.ts";
import type { Query } from "../../statement.ts";
import { Batch } from "./batch.ts";
import { unavailable } from "./faults.ts";

/** A busy machine answers late, and one that is not there must be told of at last. */
export const CONNECT_MS = 15_000;
/** The server gives a statement up after this time. */
const STATEMENT_MS = 10_000;
/** When not even that is answered, the connection is as good as cut. */
const ANSWER_MS = 15_000;
/** So long a server may take to let go of a connection that is closed. */
const FAREWELL_MS = 1_000;

/**
 * Every statement here is written for an index, and the plan that is made while a table is empty is
 * still in use when it holds a million rows; so the ways that only a small table makes cheap are
 * closed. An operator who has switched durability off for the whole server gets it back here.
 */
const SETTINGS = `
  set statement_timeout = ${STATEMENT_MS};
  set idle_in_transaction_session_timeout = 30000;
  set enable_seqscan = off;
  set enable_bitmapscan = off;
  set enable_sort = off;
  set jit = off;
  set plan_cache_mode = force_generic_plan;
  select set_config('synchronous_commit', 'on', false)
    where current_setting('synchronous_commit') = 'off';
`;

export class Session {
  /** What cut the connection, once it is. */
  lost: Error | null = null;
  readonly #client: pg.Client;
  readonly #clock: Clock;
  readonly #onLost: (() => void)[] = [];
  /** Round trips so far. */
  rounds = 0;
  #asked = 0;

  private constructor(client: pg.Client, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
    client.on("error", (error) => this.#lose(error));
    client.on("end", () => this.#lose(new Error("the connection was closed")));
  }

  /**
   * Connects. `role` is what operators see it called. Throws what the server or the system says where it
   * cannot.
   */
  static async open(url: string, clock: Clock, role: string, settings = ""): Promise<Session> {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      fallback_application_name: `freehold ${role}`,
    });
    const session = new Session(client, clock);
    try {
      await client.connect();
      await client.query(SETTINGS + settings);
      return session;
    } catch (error) {
      session.cut(error as Error);
      throw error;
    }
  }

  /** The server's process behind it. */
  get pid(): number {
    return (this.#client as unknown as { processID: number }).processID;
  }

  /** True while nobody waits for an answer. */
  get idle(): boolean {
    return this.#asked === 0;
  }

  /** Runs queries in one round trip, all or none where no transaction is open. */
  async run(queries: Query[]): Promise<unknown[]> {
    if (this.lost) throw unavailable(this.lost);
    this.#asked++;
    this.rounds++;
    const cancel = this.#clock.after(ANSWER_MS, () => this.cut(new Error("it does not answer")));
    try {
      return await this.#client.query(new Batch(queries)).results;
    } catch (error) {
      throw this.lost ? unavailable(this.lost) : error;
    } finally {
      cancel();
      this.#asked--;
    }
  }

  /** Calls back for every notification that came over this connection: payload and sender's pid. */
  onNotification(listener: (payload: string, pid: number) => void): void {
    this.#client.on("notification", ({ payload, processId }) => listener(payload ?? "", processId));
  }

  onLost(listener: () => void): void {
    if (this.lost) listener();
    else this.#onLost.push(listener);
  }

  /** Gives the connection up without a word to the server, which may not be there any more. */
  cut(why: Error): void {
    this.#lose(why);
    this.#destroy();
  }

  async close(): Promise<void> {
    if (this.lost) return;
    const cancel = this.#clock.after(FAREWELL_MS, () => this.#destroy());
    this.lost = new Error("the store is closed");
    await this.#client.end();
    cancel();
  }

  #destroy(): void {
    (this.#client as unknown as { connection: pg.Connection }).connection.stream.destroy();
  }

  #lose(why: Error): void {
    if (this.lost) return;
    this.lost = why;
    for (const listener of this.#onLost) listener();
  }
}
