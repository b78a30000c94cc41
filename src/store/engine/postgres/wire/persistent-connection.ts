// A connection that reopens: it hands out the open session, or a new one after a loss. For a while after a
// failed attempt it refuses at once, so that an unavailable database costs callers no time.

import type { Clock } from "../../../../base/clock.ts";
import { storeUnavailable } from "../../unavailable.ts";
import type { OneServer } from "./one-server.ts";
import { PostgresSession } from "./session.ts";

const MIN_BACK_OFF_MS = 50;
const MAX_BACK_OFF_MS = 1_000;

export interface ConnectionOptions {
  url: string;
  clock: Clock;
  /** Part of the name that operators see. */
  role: string;
  /** SQL that the session begins with. */
  settings?: string;
  /** Shared by all connections of a store. */
  oneServer: OneServer;
}

export class PersistentConnection {
  readonly #open: () => Promise<PostgresSession>;
  readonly #clock: Clock;
  readonly #oneServer: OneServer;
  #session: PostgresSession | null = null;
  #opening: Promise<PostgresSession> | null = null;
  #lastError: unknown = null;
  #backOffMs = 0;
  /** A timer and no instant: a step of the wall clock must not make the wait longer. */
  #isBackingOff = false;
  #cancelBackOff = () => {};
  #closed = false;

  constructor({ url, clock, role, settings = "", oneServer }: ConnectionOptions) {
    this.#open = () => PostgresSession.open(url, clock, role, settings);
    this.#clock = clock;
    this.#oneServer = oneServer;
    oneServer.add(this);
  }

  /** Throws the fault `store_unavailable` if there is no session to be had. */
  async session(): Promise<PostgresSession> {
    if (this.#session && !this.#session.lost) return this.#session;
    if (this.#closed) throw storeUnavailable(new Error("the store is closed"));
    if (!this.#opening && this.#isBackingOff) throw storeUnavailable(this.#lastError);
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  /** Cuts the session if it is on another server. */
  leave(server: string): void {
    if (this.#session?.lost === null && this.#session.server !== server) {
      this.#session.cut(new Error("the address leads to another server now"));
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelBackOff();
    await this.#opening?.catch(() => {});
    await this.#session?.close();
  }

  async #connect(): Promise<PostgresSession> {
    try {
      this.#session = await this.#open();
      this.#backOffMs = 0;
      this.#oneServer.reached(this.#session.server);
      return this.#session;
    } catch (error) {
      this.#lastError = error;
      this.#backOff();
      throw storeUnavailable(error);
    }
  }

  #backOff(): void {
    this.#backOffMs = Math.min(MAX_BACK_OFF_MS, Math.max(MIN_BACK_OFF_MS, 2 * this.#backOffMs));
    this.#isBackingOff = true;
    this.#cancelBackOff = this.#clock.after(this.#backOffMs, () => {
      this.#isBackingOff = false;
    });
  }
}
