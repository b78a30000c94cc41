// Gathering. A caller that was just answered often calls again at once, and the next batch waits a little for it.
// Otherwise a few callers split into two groups, of which one waits for each other's commits, and each pays for its own.

import { systemTicks, yieldToEventLoop } from "../../base/clock.ts";

const MAX_MS = 0.3;
/** After so many passes of the event loop without a new call, no more are awaited. An idle pass takes some 2 us. */
const QUIET_PASSES = 100;
/** How many batches at most do not wait after waits that were in vain. */
const MAX_SKIPPED = 64;

export class Gathering {
  readonly #pass: () => Promise<void>;
  readonly #ticks: () => number;
  /** The callers that were answered last and those that waited then: so many may call before the next batch. */
  #expected = 0;
  /** The next batches that do not wait. */
  #skipped = 0;
  #inVain = 0;

  constructor(pass: () => Promise<void> = yieldToEventLoop, ticks: () => number = systemTicks) {
    this.#pass = pass;
    this.#ticks = ticks;
  }

  /** Before a batch. Resolves when the expected calls are queued, or when no more seem to come. */
  async wait(queued: () => number): Promise<void> {
    const atFirst = queued();
    if (atFirst >= this.#expected) return;
    if (this.#skipped > 0) {
      this.#skipped--;
      return;
    }
    await this.#untilGathered(queued);
    this.#inVain = queued() > atFirst ? 0 : Math.min(MAX_SKIPPED, 2 * this.#inVain + 1);
    this.#skipped = this.#inVain;
  }

  /** After a batch: so many callers have their answers, and so many others wait. */
  expect(answered: number, queued: number): void {
    this.#expected = answered + queued;
  }

  async #untilGathered(queued: () => number): Promise<void> {
    const startedAt = this.#ticks();
    let known = queued();
    for (let quiet = 0; quiet < QUIET_PASSES && known < this.#expected; ) {
      if (this.#ticks() - startedAt >= MAX_MS) return;
      await this.#pass();
      const now = queued();
      quiet = now === known ? quiet + 1 : 0;
      known = now;
    }
  }
}
