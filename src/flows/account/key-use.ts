// When keys were last used. It is noted in memory and written later: no request waits for it.

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

  /** All that was noted since it was last taken, by the keys' ids. */
  take(): ReadonlyMap<string, number> {
    const taken = this.#lastAt;
    this.#lastAt = new Map();
    return taken;
  }
}
