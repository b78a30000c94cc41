// Workloads with a command under way: a loop must not wait for a grace to pass or an image to come.

import type { FastifyBaseLogger } from "fastify";
import { type Clock, pause } from "../base/clock.ts";

export class Busy {
  readonly #log: FastifyBaseLogger;
  #running = new Map<string, Promise<void>>();

  constructor(log: FastifyBaseLogger) {
    this.#log = log;
  }

  /** Those at this moment. */
  now(): ReadonlySet<string> {
    return new Set(this.#running.keys());
  }

  run(id: string, work: () => Promise<void>): void {
    if (this.#running.has(id)) return;
    const running = work()
      .catch((err) =>
        this.#log.error({ err, workload: id }, "a command failed; it comes round again"),
      )
      .finally(() => {
        this.#running.delete(id);
      });
    this.#running.set(id, running);
  }

  /** Resolves when nothing is under way, or after `mostMs`. */
  async end(clock: Clock, mostMs: number): Promise<void> {
    const done = new AbortController();
    const late = pause(clock, mostMs, done.signal);
    await Promise.race([Promise.all(this.#running.values()), late]);
    done.abort();
  }
}
