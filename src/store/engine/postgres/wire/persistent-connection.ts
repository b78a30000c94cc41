// A connection that reopens: it hands out the open session, or a new one after a loss. For a while after a
// failed attempt it refuses at once, so that an unavailable database costs callers no time.

import type { Clock } from "../../../../base/clock.ts";
import { unavailable } from "../../unavailable.ts";
import { Session } from "./session.ts";

const MIN_BACK_OFF_MS = 50;
const MAX_BACK_OFF_MS = 1_000;

export class PersistentConnection {
  readonly #open: () => Promise<Session>;
  readonly #clock: Clock;
  #session: Session | null = null;
  #opening: Promise<Session> | null = null;
  #lastError: unknown = null;
  #backOffMs = 0;
  #retryAt = 0;
  #closed = false;

  constructor(url: string, clock: Clock, role: string, settings = "") {
    this.#open = () => Session.open(url, clock, role, settings);
    this.#clock = clock;
  }

  /** Throws the fault `store_unavailable` if there is no session to be had. */
  async session(): Promise<Session> {
    if (this.#session && !this.#session.lost) return this.#session;
    if (this.#closed) throw unavailable(new Error("the store is closed"));
    if (!this.#opening && this.#clock.now() < this.#retryAt) throw unavailable(this.#lastError);
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#opening?.catch(() => {});
    await this.#session?.close();
  }

  async #connect(): Promise<Session> {
    try {
      this.#session = await this.#open();
      this.#backOffMs = 0;
      return this.#session;
    } catch (error) {
      this.#lastError = error;
      this.#backOffMs = Math.min(MAX_BACK_OFF_MS, Math.max(MIN_BACK_OFF_MS, 2 * this.#backOffMs));
      this.#retryAt = this.#clock.now() + this.#backOffMs;
      throw unavailable(error);
    }
  }
}
