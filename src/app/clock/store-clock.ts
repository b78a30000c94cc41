// The clock of the service: this machine's if the store is local, else the database's.

import { type Clock, systemClock, systemTicks } from "../../base/clock.ts";
import { DisciplinedClock } from "../../base/disciplined-clock.ts";
import type { Loop } from "../../loops/engine/loop.ts";
import { keepTimeLoop, measureClock } from "../../loops/engine/sync-clock.ts";
import type { Store } from "../../store/engine/store.ts";

/** `own` is a clock that takes the place of the store's. `keeping` holds the loop that keeps the clock in sync, if one is needed. */
export async function clockFor(
  store: Store,
  own: Clock | undefined,
): Promise<{ clock: Clock; keeping: Loop[] }> {
  if (own) return { clock: own, keeping: [] };
  const first = await measureClock(store, systemTicks);
  if (!first) return { clock: systemClock, keeping: [] };
  const clock = new DisciplinedClock(systemTicks, systemClock, first);
  // The first answer may include the time to connect; the following ones do not.
  for (let n = 0; n < 2; n++) clock.adjust((await measureClock(store, systemTicks))!);
  return { clock, keeping: [keepTimeLoop({ store, clock, ticks: systemTicks })] };
}
