// The termination of a container: SIGTERM, then SIGKILL after the grace period; done once it has ended.

import { type Clock, pause } from "../../../base/clock.ts";
import { type Engine, statusOf } from "../engine.ts";

export class ContainerTermination {
  readonly done: Promise<void>;
  readonly #engine: Engine;
  readonly #container: string;
  readonly #clock: Clock;
  readonly #ended = new AbortController();
  /** Aborts the wait for an end when the termination has failed. */
  readonly #failed = new AbortController();
  #killAt: number;
  #killAdvanced = new AbortController();

  constructor(engine: Engine, container: string, clock: Clock, graceMs: number) {
    this.#engine = engine;
    this.#container = container;
    this.#clock = clock;
    this.#killAt = clock.ticks() + graceMs;
    this.done = this.#run().catch((error) => {
      this.#failed.abort();
      throw error;
    });
  }

  /** Moves SIGKILL to earlier ticks of the clock; later ones have no effect. */
  advanceKill(killAt: number): void {
    if (killAt >= this.#killAt) return;
    this.#killAt = killAt;
    this.#killAdvanced.abort();
  }

  async #run(): Promise<void> {
    // Waits from before the signal, so that the end cannot be missed.
    const wait = this.#engine.callWhileAlive(
      (docker) => docker.getContainer(this.#container).wait({ abortSignal: this.#failed.signal }),
      Number.POSITIVE_INFINITY,
    );
    const ended = wait.then(
      () => this.#ended.abort(),
      (error) => {
        this.#ended.abort();
        if (![404, 409].includes(statusOf(error) ?? 0)) throw error;
      },
    );
    ended.catch(() => {});
    await this.#signal("SIGTERM");
    while (!this.#ended.signal.aborted && this.#clock.ticks() < this.#killAt) {
      this.#killAdvanced = new AbortController();
      const wake = AbortSignal.any([this.#ended.signal, this.#killAdvanced.signal]);
      await pause(this.#clock, this.#killAt - this.#clock.ticks(), wake);
    }
    if (!this.#ended.signal.aborted) await this.#signal("SIGKILL");
    await ended;
  }

  /** The container may have ended or may be removed already. */
  async #signal(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    await this.#engine
      .callWithin((docker) => docker.getContainer(this.#container).kill({ signal }))
      .catch((error) => {
        if (![404, 409].includes(statusOf(error) ?? 0)) throw error;
      });
  }
}
