// A clock that runs as the machine's does, but from an instant of the test's own, and can jump.

import { type Clock, systemClock } from "../src/base/clock.ts";

export class AheadClock implements Clock {
  #ahead: number;
  readonly after = systemClock.after;

  constructor(start: string) {
    this.#ahead = Date.parse(start) - Date.now();
  }

  now(): number {
    return Date.now() + this.#ahead;
  }

  jump(ms: number): void {
    this.#ahead += ms;
  }
}
