// A driver of real programs under a virtual clock: it waits in real time, and its starts and stops count
// as activity.

import { type Clock, systemClock } from "../../base/clock.ts";
import type { Driver } from "../../drivers/driver.ts";
import { overrideMethods } from "../machine/override-methods.ts";
import type { Activity } from "./activity.ts";

/** Tells virtual time, but waits for programs and sockets in real time. */
export const withRealTimers = (clock: Clock): Clock => ({
  now: () => clock.now(),
  after: systemClock.after,
});

export function trackDriver(driver: Driver, activity: Activity): Driver {
  return overrideMethods(driver, {
    start: (...args) => activity.track(driver.start(...args)),
    stop: (...args) => activity.track(driver.stop(...args)),
    list: () => activity.track(driver.list()),
  });
}
