// Workloads with a command under way: a loop must not wait for a grace to pass or an image to come.

import type { FastifyBaseLogger } from "fastify";
import { type Clock, pause } from "../base/clock.ts";

export class Busy {
  readonly #log: FastifyBaseLogger;
  readonly #over: () => void;
  #running = new Map<string, { what: string; done: Promise<void> }>();
  #beside = new Map<string, Promise<void>>();

  /** `over` is called when something is under way no more: what came of it can be looked at. */
  constructor(log: FastifyBaseLogger, over: () => void) {
    this.#log = log;
    this.#over = over;
  }

  /** Those at this moment. */
  now(): ReadonlySet<string> {
    return new Set(this.#running.keys());
  }

  /** What is under way with a workload, as it was named. */
  doing(id: string): string | undefined {
    return this.#running.get(id)?.what;
  }

  run(id: string, work: () => Promise<void>, what = ""): void {
    if (this.#running.has(id)) return;
    const done = this.#guard(id, work).then((done) => {
      this.#running.delete(id);
      // What failed would fail again at once.
      if (done) this.#over();
    });
    this.#running.set(id, { what, done });
  }

  /** The same for what cuts short what is under way, once at a time. */
  beside(id: string, work: () => Promise<void>): void {
    if (this.#beside.has(id)) return;
    const done = this.#guard(id, work).then(() => void this.#beside.delete(id));
    this.#beside.set(id, done);
  }

  /** Resolves when nothing is under way, or after `mostMs`. */
  async end(clock: Clock, mostMs: number): Promise<void> {
    const over = new AbortController();
    const late = pause(clock, mostMs, over.signal);
    const running = Array.from(this.#running.values(), ({ done }) => done);
    await Promise.race([Promise.all([...running, ...this.#beside.values()]), late]);
    over.abort();
  }

  async #guard(id: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (err) {
      this.#log.error({ err, workload: id }, "a command failed; it comes round again");
      return false;
    }
  }
}
