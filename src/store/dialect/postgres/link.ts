// A connection that comes back: whoever asks for a session gets the one that is open, or a new one
// after a loss. Who asks too soon after a failure is refused at once, so that a database that is away
// costs nobody time.

import type { Clock } from "../../../base/clock.ts";
import { unavailable } from "./faults.ts";
import { Session } from "./session.ts";

const FIRST_BACK_OFF_MS = 50;
const LONGEST_BACK_OFF_MS = 1_000;

export class Link {
  readonly #open: () => Promise<Session>;
  readonly #clock: Clock;
  #session: Session | null = null;
  #opening: Promise<Session> | null = null;
  #failure: unknown = null;
  #backOffMs = 0;
  #notBefore = 0;
  #closed = false;

  constructor(url: string, clock: Clock, role: string, settings = "") {
    this.#open = () => Session.open(url, clock, role, settings);
    this.#clock = clock;
  }

  /** True where a session is open and nobody uses it. */
  get idle(): boolean {
    return this.#session !== null && this.#session.lost === null && this.#session.idle;
  }

  /** Throws the fault `store_unavailable` while there is none to be had. */
  async session(): Promise<Session> {
    if (this.#session && !this.#session.lost) return this.#session;
    if (this.#closed) throw unavailable(new Error("the store is closed"));
    if (!this.#opening && this.#clock.now() < this.#notBefore) throw unavailable(this.#failure);
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
      this.#failure = error;
      this.#backOffMs = Math.min(
        LONGEST_BACK_OFF_MS,
        Math.max(FIRST_BACK_OFF_MS, 2 * this.#backOffMs),
      );
      this.#notBefore = this.#clock.now() + this.#backOffMs;
      throw unavailable(error);
    }
  }
}
