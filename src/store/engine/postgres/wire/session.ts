// One connection to PostgreSQL, from its opening to its loss. A lost session stays lost: no transaction can
// continue on another connection by mistake.

import pg from "pg";
import type { Clock } from "../../../../base/clock.ts";
import { guarded } from "../../../../base/guarded.ts";
import type { Query } from "../../statement.ts";
import { storeUnavailable } from "../../unavailable.ts";
import { QueryBatch } from "./query-batch.ts";
import { standby } from "./unsuitable-server.ts";
import { verdictOf } from "./verdict.ts";

/** Long enough for a server on a busy machine to answer. */
export const CONNECT_TIMEOUT_MS = 15_000;
/** After this time the server cancels a statement. */
const STATEMENT_TIMEOUT_MS = 10_000;
/** After this time without an answer, not even to that, the connection counts as lost. */
const ANSWER_TIMEOUT_MS = 15_000;
const CLOSE_TIMEOUT_MS = 1_000;
/**
 * After this time between two statements of a transaction the server ends it: the process stands still, and its locks
 * stop the other replicas.
 */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 2_500;
/** Longer than that, so that a call outlives a replica that stands still; shorter than the statement's. */
const LOCK_TIMEOUT_MS = 4_000;

/**
 * Every statement here has an index. A plan that was made while a table was empty is still in use when the
 * table holds a million rows, so plans that only suit a small table are disabled. `synchronous_commit` is on
 * even if it is off for the whole server.
 */
const SETTINGS = `
  set statement_timeout = ${STATEMENT_TIMEOUT_MS};
  set lock_timeout = ${LOCK_TIMEOUT_MS};
  set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_TIMEOUT_MS};
  set enable_seqscan = off;
  set enable_bitmapscan = off;
  set enable_sort = off;
  set jit = off;
  set plan_cache_mode = force_generic_plan;
  select set_config('synchronous_commit', 'on', false)
    where current_setting('synchronous_commit') = 'off';
`;

/** The server process behind the session, the start of the server that it is part of, and whether that is a standby. */
const SERVER = `
  select pg_backend_pid() as pid, extract(epoch from pg_postmaster_start_time())::text as server,
    pg_is_in_recovery() as "isStandby"`;

interface ServerRow {
  pid: number;
  server: string;
  isStandby: boolean;
}

export class PostgresSession {
  /** The error that ended the connection, once there is one. */
  lost: Error | null = null;
  /** Round trips so far. */
  roundTrips = 0;
  readonly #client: pg.Client;
  readonly #clock: Clock;
  readonly #lossListeners: (() => void)[] = [];
  #pid = 0;
  #server = "";

  private constructor(client: pg.Client, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
    client.on("error", (error) => this.#lose(error));
    client.on("end", () => this.#lose(new Error("the connection was closed")));
  }

  /** `role` is part of the name that operators see. Throws the error of the server or the system. */
  static async open(
    url: string,
    clock: Clock,
    role: string,
    settings = "",
  ): Promise<PostgresSession> {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      fallback_application_name: `freehold ${role}`,
    });
    const session = new PostgresSession(client, clock);
    try {
      await client.connect();
      session.#enter(await client.query(SETTINGS + settings + SERVER));
      return session;
    } catch (error) {
      session.cut(error as Error);
      throw error;
    }
  }

  /** The server process behind it. A pooler answers the connection with a number of its own. */
  get pid(): number {
    return this.#pid;
  }

  /** Differs for each start of each server. */
  get server(): string {
    return this.#server;
  }

  /** Runs queries in one round trip; without an open transaction, all of them or none take effect. */
  async run(queries: Query[]): Promise<unknown[]> {
    if (this.lost) throw storeUnavailable(this.lost);
    this.roundTrips++;
    const timedOut = () => this.cut(new Error("the server does not answer"));
    const cancel = this.#clock.after(ANSWER_TIMEOUT_MS, timedOut);
    try {
      return await this.#client.query(new QueryBatch(queries)).results;
    } catch (error) {
      if (this.lost) throw storeUnavailable(this.lost);
      const verdict = verdictOf(error);
      if (verdict === "cut" || verdict === "reopen") this.cut(error as Error);
      throw error;
    } finally {
      cancel();
    }
  }

  /** Calls back with the payload of every notification and the pid of the process that sent it. */
  onNotification(listener: (payload: string, pid: number) => void): void {
    this.#client.on(
      "notification",
      guarded("a notification of PostgreSQL", ({ payload, processId }: pg.Notification) =>
        listener(payload ?? "", processId),
      ),
    );
  }

  onLost(listener: () => void): void {
    if (this.lost) listener();
    else this.#lossListeners.push(listener);
  }

  /** Drops the connection without a message to the server, which may be unreachable. */
  cut(reason: Error): void {
    this.#lose(reason);
    this.#destroy();
  }

  async close(): Promise<void> {
    if (this.lost) return;
    const cancel = this.#clock.after(CLOSE_TIMEOUT_MS, () => this.#destroy());
    this.lost = new Error("the store is closed");
    await this.#client.end();
    cancel();
  }

  /** `results` are those of several statements. */
  #enter(results: unknown): void {
    const [row] = (results as pg.QueryResult<ServerRow>[]).at(-1)!.rows;
    if (row!.isStandby) throw standby();
    this.#pid = row!.pid;
    this.#server = row!.server;
  }

  #destroy(): void {
    (this.#client as unknown as { connection: pg.Connection }).connection.stream.destroy();
  }

  #lose(reason: Error): void {
    if (this.lost) return;
    this.lost = reason;
    for (const listener of this.#lossListeners) listener();
  }
}
