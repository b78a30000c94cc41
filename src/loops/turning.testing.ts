// A loop's life under a clock that the test owns: turn after turn, as often as it would come round.

import type { VirtualClock } from "../base/clock.ts";
import type { Loop } from "./loop.ts";

const STEP_MS = 4_000;

/** Lets time pass while the loop turns; its last turn is at the end. */
export async function live(clock: VirtualClock, loop: Loop, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= STEP_MS) {
    await clock.advance(Math.min(STEP_MS, left));
    await loop.turn();
  }
}
