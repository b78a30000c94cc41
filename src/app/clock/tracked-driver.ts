// A driver of real programs under a virtual clock: it waits in real time, its starts and stops count as activity, and
// its programs read the virtual time.

import { type Clock, systemClock } from "../../base/clock.ts";
import type { Driver } from "../../drivers/driver.ts";
import { overrideMethods } from "../../drivers/override-methods.ts";
import type { OpenVirtualTime } from "./virtual-time.ts";

/** Tells virtual time, but waits for programs and sockets in real time. */
export const withRealTimers = (clock: Clock): Clock => ({
  now: () => clock.now(),
  ticks: systemClock.ticks,
  after: systemClock.after,
});

export function trackDriver(
  driver: Driver,
  { activity, programTime }: Pick<OpenVirtualTime, "activity" | "programTime">,
): Driver {
  return overrideMethods(driver, {
    start(workload, report) {
      const env = { ...programTime?.variables, ...workload.env };
      return activity.track(driver.start({ ...workload, env }, report));
    },
    stop: (...args) => activity.track(driver.stop(...args)),
    list: () => activity.track(driver.list()),
  });
}
