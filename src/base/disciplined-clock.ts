// A clock that keeps another one's time: the database's, which all replicas ask. It runs on ticks
// that no administrator and no time service can move, so that a wrong clock of this machine, or a
// mended one, makes no lease run out early.

import type { Clock } from "./clock.ts";

/** What was asked of the other clock: its answer, and our ticks before and after. */
export interface Measurement {
  askedAt: number;
  time: number;
  answeredAt: number;
}

/** A smaller step back is waited out, so that time never goes backward in what users see. */
const WAITED_OUT_MS = 1_000;

export class DisciplinedClock implements Clock {
  readonly #ticks: () => number;
  readonly #timers: Pick<Clock, "after">;
  #offset: number;
  #last = 0;

  /** `ticks` are milliseconds since whenever; `timers` counts delays. */
  constructor(ticks: () => number, timers: Pick<Clock, "after">, first: Measurement) {
    this.#ticks = ticks;
    this.#timers = timers;
    this.#offset = middle(first);
  }

  now(): number {
    const time = Math.floor(this.#ticks() + this.#offset);
    if (time > this.#last || time < this.#last - WAITED_OUT_MS) this.#last = time;
    return this.#last;
  }

  after(delayMs: number, callback: () => void): () => void {
    return this.#timers.after(delayMs, callback);
  }

  /** Moves this clock as little as the measurement demands: its answer is as exact as it was quick. */
  discipline(measured: Measurement): void {
    const doubt = (measured.answeredAt - measured.askedAt) / 2;
    const offset = middle(measured);
    this.#offset = Math.min(offset + doubt, Math.max(offset - doubt, this.#offset));
  }
}

/** By how much the other clock is ahead of our ticks, if its answer was as long under way as our question. */
function middle({ askedAt, time, answeredAt }: Measurement): number {
  return time - (askedAt + answeredAt) / 2;
}
