// Ends a container: SIGTERM, SIGKILL when the grace has run out, and no answer before it is gone.

import { type Clock, pause } from "../../base/clock.ts";
import { type Engine, statusOf } from "./engine.ts";

export class ContainerEnd {
  readonly done: Promise<void>;
  readonly #engine: Engine;
  readonly #container: string;
  readonly #clock: Clock;
  readonly #gone = new AbortController();
  #killAt: number;
  #hurried = new AbortController();

  constructor(engine: Engine, container: string, clock: Clock, graceMs: number) {
    this.#engine = engine;
    this.#container = container;
    this.#clock = clock;
    this.#killAt = clock.now() + graceMs;
    this.done = this.#run();
  }

  /** A second stop may be more urgent than the first, never less. */
  hurry(killAt: number): void {
    if (killAt >= this.#killAt) return;
    this.#killAt = killAt;
    this.#hurried.abort();
  }

  async #run(): Promise<void> {
    // Waited for from before the signal, so that its end cannot be missed.
    const gone = this.#engine.ask((docker) => docker.getContainer(this.#container).wait());
    const ended = gone.then(
      () => this.#gone.abort(),
      (error) => {
        this.#gone.abort();
        if (statusOf(error) !== 404) throw error;
      },
    );
    ended.catch(() => {});
    await this.#signal("SIGTERM");
    while (!this.#gone.signal.aborted && this.#clock.now() < this.#killAt) {
      this.#hurried = new AbortController();
      const wake = AbortSignal.any([this.#gone.signal, this.#hurried.signal]);
      await pause(this.#clock, this.#killAt - this.#clock.now(), wake);
    }
    if (!this.#gone.signal.aborted) await this.#signal("SIGKILL");
    await ended;
  }

  /** It may be gone already. */
  async #signal(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    await this.#engine
      .ask((docker) => docker.getContainer(this.#container).kill({ signal }))
      .catch((error) => {
        if (![404, 409].includes(statusOf(error) ?? 0)) throw error;
      });
  }
}
