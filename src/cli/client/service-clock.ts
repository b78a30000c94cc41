// The service's clock, which a virtual clock moves away from this machine's. Answers carry it in a header then.

import { systemClock } from "../../base/clock.ts";

const HEADER = "freehold-clock";

let aheadMs = 0;

/** Its current instant, as the last answer told it. */
export const serviceNow = (): number => systemClock.now() + aheadMs;

export function readServiceClock(headers: Headers): void {
  const instant = headers.get(HEADER);
  aheadMs = instant === null ? 0 : Date.parse(instant) - systemClock.now();
}
