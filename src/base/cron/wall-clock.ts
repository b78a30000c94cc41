// The wall clock of a time zone. A wall time is the number of milliseconds that an instant in UTC with the same date and
// time would have.

import { DAY_MS } from "../units.ts";

export class WallClock {
  readonly #format: Intl.DateTimeFormat;

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  }

  wallTimeAt(instant: number): number {
    return instant + this.#offsetAt(instant);
  }

  /** The instant at which the clocks went past a wall time that does not exist; null if it exists. */
  gapEnd(wallTime: number): number | null {
    const before = this.#offsetAt(wallTime - DAY_MS);
    const after = this.#offsetAt(wallTime + DAY_MS);
    if (after <= before) return null;
    let [low, high] = [wallTime - after, wallTime - before];
    if (this.#offsetAt(low) !== before || this.#offsetAt(high) !== after) return null;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#offsetAt(middle) === before) low = middle;
      else high = middle;
    }
    return high;
  }

  #offsetAt(instant: number): number {
    const text = this.#format.format(instant);
    const [, sign, hours, minutes, seconds = "0"] =
      /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
    if (sign === undefined) return 0;
    const size = (Number(hours) * 60 + Number(minutes)) * 60_000 + Number(seconds) * 1_000;
    return sign === "-" ? -size : size;
  }
}
