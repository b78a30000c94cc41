// Idle connections to one port of a container, reused for a moment. Only for requests without a body that can be sent
// again if a connection turns out to be closed.

import type { Duplex } from "node:stream";
import { systemClock } from "../../../base/clock.ts";
import { HttpConnection, IDLE_MS } from "./http-connection.ts";

const MAX_IDLE = 256;

export class IdleConnections {
  readonly #dial: () => Promise<Duplex>;
  /** Used as a stack: the last used connection first. */
  #idle: HttpConnection[] = [];
  /** One timer for all of them. */
  #cancelSweep: (() => void) | null = null;

  constructor(dial: () => Promise<Duplex>) {
    this.#dial = dial;
  }

  /** Null if there is none. */
  take(): HttpConnection | null {
    for (;;) {
      const connection = this.#idle.pop();
      if (!connection || connection.isUsable) return connection ?? null;
      connection.close();
    }
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
    const { usable = [], old = [] } = Object.groupBy(this.#idle, ({ isUsable }) =>
      isUsable ? "usable" : "old",
    );
    this.#idle = usable;
    for (const connection of old) connection.close();
    this.#cancelSweep =
      usable.length === 0 ? null : systemClock.after(IDLE_MS, () => this.#sweep());
  }
}
