// The last use of keys, collected in memory and written later, so that no request waits for it.

import type { Clock } from "../../base/clock.ts";

export class KeyUse {
  readonly #clock: Pick<Clock, "now">;
  #lastAt = new Map<string, number>();

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  note(keyId: string): void {
    this.#lastAt.set(keyId, this.#clock.now());
  }

  /** Returns and clears the collected times, by key id. */
  take(): ReadonlyMap<string, number> {
    const lastAt = this.#lastAt;
    this.#lastAt = new Map();
    return lastAt;
  }
}
