// The watch over an engine while work of unknown length is under way: a long call, or a stream that may be quiet for
// hours. One ping at a time serves them all, and an engine that does not answer it ends them.

import { type Clock, pause } from "../../base/clock.ts";

/** From one ping to the next. */
const PERIOD_MS = 10_000;

export class EngineWatch {
  readonly #clock: Clock;
  readonly #problem: () => Promise<Error | null>;
  /** Called when the engine stopped answering. */
  readonly #listeners = new Set<(error: Error) => void>();
  #unused = new AbortController();

  /** `problem` resolves to null if the engine answers. */
  constructor(clock: Clock, problem: () => Promise<Error | null>) {
    this.#clock = clock;
    this.#problem = problem;
  }

  /** The listener is called at most once. The returned function takes it back. */
  add(listener: (error: Error) => void): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) {
      this.#unused = new AbortController();
      void this.#run(this.#unused.signal);
    }
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#unused.abort();
    };
  }

  async #run(unused: AbortSignal): Promise<void> {
    for (;;) {
      await pause(this.#clock, PERIOD_MS, unused);
      if (unused.aborted) return;
      const problem = await this.#problem();
      if (unused.aborted) return;
      if (problem !== null) return this.#end(problem);
    }
  }

  #end(problem: Error): void {
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener(problem);
  }
}
