// The real time that a wait of the simulation may take. Most waits end only if something else moves on, so one that
// does not end would never be noticed.

import { systemClock } from "../../../src/base/clock.ts";

/** For a machine that is busy with much else. */
const LIMIT_MS = 240_000;

/** Refuses to go on once it is over; says what was waited for. */
export class Limit {
  readonly #waitsFor: string;
  #isOver = false;
  readonly end: () => void;

  constructor(waitsFor: string) {
    this.#waitsFor = waitsFor;
    this.end = systemClock.after(LIMIT_MS, () => {
      this.#isOver = true;
    });
  }

  check(): void {
    if (this.#isOver) throw overdue(this.#waitsFor);
  }
}

/** The result of the work, or an error that says what was waited for. */
export async function within<Result>(waitsFor: string, work: Promise<Result>): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const end = systemClock.after(LIMIT_MS, () => reject(overdue(waitsFor)));
  return Promise.race([work, late]).finally(end);
}

const overdue = (waitsFor: string) =>
  new Error(`the simulation has waited for ${waitsFor} for ${LIMIT_MS / 1_000} s`);
