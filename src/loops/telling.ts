// Passes on what a driver says while it starts something to the workload's system log.

import type { Clock } from "../base/clock.ts";
import { seen } from "../domain/pod/happening.ts";
import type { Tell } from "../drivers/driver.ts";
import type { Store } from "../store/store.ts";
import { tellSystem } from "../store/system-log.ts";

/** A line that cannot be kept, for the store is away or closed, is lost and nothing more. */
export function telling({ store, clock }: { store: Store; clock: Clock }, id: string): Tell {
  return (line, step) => {
    const happening = step ? seen(step, null, null) : null;
    store.write(tellSystem, id, clock.now(), line, happening).catch(() => {});
  };
}
