// The clock of the whole house: this machine's where the store is its own, else the database's.

import { type Clock, systemClock, systemTicks } from "../base/clock.ts";
import { DisciplinedClock } from "../base/disciplined-clock.ts";
import { keepTimeLoop, measureClock } from "../loops/keep-time.ts";
import type { Loop } from "../loops/loop.ts";
import type { Store } from "../store/store.ts";

/** `keeping` holds the loop that keeps the clock right, where it needs one. */
export async function clockFor(store: Store): Promise<{ clock: Clock; keeping: Loop[] }> {
  const first = await measureClock(store, systemTicks);
  if (!first) return { clock: systemClock, keeping: [] };
  const clock = new DisciplinedClock(systemTicks, systemClock, first);
  // The first answer may have waited for a connection to be opened; these have not.
  for (let n = 0; n < 2; n++) clock.discipline((await measureClock(store, systemTicks))!);
  return { clock, keeping: [keepTimeLoop({ store, clock, ticks: systemTicks })] };
}
