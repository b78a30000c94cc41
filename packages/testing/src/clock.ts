// The clock of a service: it flows with real time, and a test can move it forward.

import type { Client } from "./client.ts";

interface MoveOptions {
  /** Workers count as silent meanwhile, and lose their jobs. */
  silentWorkers?: boolean;
}

export class Clock {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** The service's time, in ISO 8601. */
  async now(): Promise<string> {
    return timeIn(await this.#client.call("GET", "/v1/clock"));
  }

  /** Moves time forward by "90s", "15m", "7d"; resolves once everything that became due has happened. */
  advance(duration: string, options: MoveOptions = {}): Promise<string> {
    return this.#move({ advance: duration }, options);
  }

  /** Moves time forward to an instant in ISO 8601. */
  to(instant: string, options: MoveOptions = {}): Promise<string> {
    return this.#move({ to: instant }, options);
  }

  async #move(move: object, { silentWorkers = false }: MoveOptions): Promise<string> {
    const workers = silentWorkers ? "silent" : "kept";
    return timeIn(await this.#client.call("POST", "/v1/clock", { ...move, workers }));
  }
}

const timeIn = (answer: unknown) => (answer as { now: string }).now;
