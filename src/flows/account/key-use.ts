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

  /** Writes the collected times, by key id, and forgets them once they are written. */
  async record(write: (lastAt: ReadonlyMap<string, number>) => Promise<unknown>): Promise<void> {
    if (this.#lastAt.size === 0) return;
    const written = new Map(this.#lastAt);
    await write(written);
    for (const [keyId, at] of written)
      if (this.#lastAt.get(keyId) === at) this.#lastAt.delete(keyId);
  }
}
