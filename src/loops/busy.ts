// Workloads with a command under way: a loop must not wait for a grace to pass or an image to come.

import type { FastifyBaseLogger } from "fastify";

export class Busy {
  readonly #log: FastifyBaseLogger;
  #ids = new Set<string>();

  constructor(log: FastifyBaseLogger) {
    this.#log = log;
  }

  /** Those at this moment. */
  now(): ReadonlySet<string> {
    return new Set(this.#ids);
  }

  run(id: string, work: () => Promise<void>): void {
    if (this.#ids.has(id)) return;
    this.#ids.add(id);
    void work()
      .catch((err) =>
        this.#log.error({ err, workload: id }, "a command failed; it comes round again"),
      )
      .finally(() => this.#ids.delete(id));
  }
}
