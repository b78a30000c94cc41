// Idle connections to one port of a container, reused for a moment.

import type { Duplex } from "node:stream";
import { systemClock } from "../../../base/clock.ts";
import { HttpConnection } from "./http-connection.ts";

const MAX_IDLE = 256;
/** Shorter than servers keep idle connections, so that a request rarely meets a closing one. */
const IDLE_MS = 1_500;
/** Shorter still, for a request that would be lost with the connection. */
const BRIEFLY_IDLE_MS = 500;

export class IdleConnections {
  readonly #dial: () => Promise<Duplex>;
  /** Used as a stack: the last used connection first. */
  #idle: HttpConnection[] = [];
  /** One timer for all of them. */
  #cancelSweep: (() => void) | null = null;

  constructor(dial: () => Promise<Duplex>) {
    this.#dial = dial;
  }

  /** For a request that can be sent again if the connection turns out to be closed. Null if there is none. */
  take(): HttpConnection | null {
    for (;;) {
      const connection = this.#idle.pop();
      if (!connection || connection.hasRested(IDLE_MS)) return connection ?? null;
      connection.close();
    }
  }

  /**
   * For a request that can be sent only once: the last used connection, if it is still open after everything that
   * has arrived at this machine has been read. Otherwise null.
   */
  takeQuiet(next: (connection: HttpConnection | null) => void): void {
    const connection = this.#idle.at(-1);
    if (!connection?.hasRested(BRIEFLY_IDLE_MS)) return void next(null);
    this.#idle.pop();
    afterPoll(() => next(connection.isOpen ? connection : null));
  }

  async open(): Promise<HttpConnection> {
    const stream = await this.#dial();
    const connection = new HttpConnection(stream, () => this.#keep(connection));
    stream.once("close", () => {
      this.#idle = this.#idle.filter((each) => each !== connection);
    });
    return connection;
  }

  close(): void {
    this.#cancelSweep?.();
    for (const connection of this.#idle) connection.close();
  }

  #keep(connection: HttpConnection): void {
    if (this.#idle.length >= MAX_IDLE) return void connection.close();
    this.#idle.push(connection);
    this.#cancelSweep ??= systemClock.after(IDLE_MS, () => this.#sweep());
  }

  #sweep(): void {
    const { usable = [], old = [] } = Object.groupBy(this.#idle, (each) =>
      each.hasRested(IDLE_MS) ? "usable" : "old",
    );
    this.#idle = usable;
    for (const connection of old) connection.close();
    this.#cancelSweep =
      usable.length === 0 ? null : systemClock.after(IDLE_MS, () => this.#sweep());
  }
}

/** Calls back when Node has polled all sockets once more. The first immediate may end a poll that is going on. */
function afterPoll(callback: () => void): void {
  setImmediate(() => setImmediate(callback));
}
