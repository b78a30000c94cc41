// A world for the worker's own tests, in which nobody waits: time stands still until the test wakes
// whoever sleeps.

import type { World } from "../world.ts";

export class VirtualWorld implements World {
  readonly printed: string[] = [];
  readonly complained: string[] = [];
  env: World["env"];
  argv: string[] = [];
  #now = 0;
  #sleepers: { at: number; wake: () => void }[] = [];
  #watchers: (() => void)[] = [];

  constructor(env: World["env"]) {
    this.env = env;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const sleeper = { at: this.#now + ms, wake };
      if (signal?.aborted) return resolve();
      signal?.addEventListener("abort", wake);
      this.#sleepers.push(sleeper);
      for (const watcher of this.#watchers.splice(0)) watcher();
    });
  }

  random(): number {
    return 0.5;
  }

  print(line: string): void {
    this.printed.push(line);
  }

  complain(line: string): void {
    this.complained.push(line);
  }

  /** Resolves once at least `count` sleep. */
  async asleep(count: number): Promise<void> {
    while (this.#sleepers.length < count) {
      await new Promise<void>((resolve) => this.#watchers.push(resolve));
    }
  }

  /** Lets `ms` pass; whoever sleeps less wakes. */
  pass(ms: number): void {
    this.#now += ms;
    for (const sleeper of this.#sleepers.filter(({ at }) => at <= this.#now)) sleeper.wake();
  }

  /** Lets just as much time pass as the soonest sleeper needs. */
  wakeNext(): void {
    this.pass(Math.min(...this.#sleepers.map(({ at }) => at)) - this.#now);
  }
}
