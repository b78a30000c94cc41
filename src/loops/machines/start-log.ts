// Writes what a driver reports during a start to the workload's system log.

import type { Clock } from "../../base/clock.ts";
import { containerEvent } from "../../domain/pod/pod-event.ts";
import type { StartReporter } from "../../drivers/driver.ts";
import type { Store } from "../../store/engine/store.ts";
import { addSystemLine } from "../../transactions/log/add-system-line.ts";

/** A line that cannot be stored, because the store is unavailable or closed, is lost. */
export function startLogger(
  { store, clock }: { store: Store; clock: Clock },
  id: string,
): StartReporter {
  return (line, step) => {
    if (line === null) return;
    const isEvent = step !== undefined && step !== "image_present";
    const event = isEvent ? containerEvent(step, null, null) : null;
    store.write(addSystemLine, id, clock.now(), line, event).catch(() => {});
  };
}
