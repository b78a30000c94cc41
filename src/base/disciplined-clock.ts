// A clock that follows the database's clock, which all replicas share. It counts monotonic ticks, so a
// wrong or corrected clock of this machine does not make a lease expire early.

import type { Clock } from "./clock.ts";

/** One reading of the other clock: its time, and the local ticks before and after the request. */
export interface ClockMeasurement {
  requestedAt: number;
  time: number;
  answeredAt: number;
}

/** During a smaller step back the clock stands still, so that users never see time go backward. */
const MAX_HELD_STEP_MS = 1_000;

export class DisciplinedClock implements Clock {
  readonly #ticks: () => number;
  readonly #timers: Pick<Clock, "after">;
  #offset: number;
  #last = 0;

  /** `ticks` are milliseconds since an arbitrary start; `timers` counts delays. */
  constructor(ticks: () => number, timers: Pick<Clock, "after">, first: ClockMeasurement) {
    this.#ticks = ticks;
    this.#timers = timers;
    this.#offset = offsetOf(first);
  }

  now(): number {
    const time = Math.floor(this.#ticks() + this.#offset);
    if (time > this.#last || time < this.#last - MAX_HELD_STEP_MS) this.#last = time;
    return this.#last;
  }

  ticks(): number {
    return this.#ticks();
  }

  after(delayMs: number, callback: () => void): () => void {
    return this.#timers.after(delayMs, callback);
  }

  /** Moves this clock by no more than the measurement proves: its uncertainty is half the round trip. */
  adjust(measurement: ClockMeasurement): void {
    const uncertainty = (measurement.answeredAt - measurement.requestedAt) / 2;
    const offset = offsetOf(measurement);
    this.#offset = Math.min(offset + uncertainty, Math.max(offset - uncertainty, this.#offset));
  }
}

/** The other clock's lead over the local ticks, if request and answer took the same time. */
function offsetOf({ requestedAt, time, answeredAt }: ClockMeasurement): number {
  return time - (requestedAt + answeredAt) / 2;
}
