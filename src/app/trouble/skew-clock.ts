// The trouble `clock-skew`: what others compare with their clocks is said by a clock that is fast.

import { MINUTE_MS } from "../../base/units.ts";
import type { Parts } from "../service-parts.ts";

const FAST_MS = 30 * MINUTE_MS;

/** The time as the service reports it about a subject, such as a request or the URL of a webhook. */
export type SkewedTime = (subject: string) => number;

export function skewedTime({ clock, troubles }: Pick<Parts, "clock" | "troubles">): SkewedTime {
  return (subject) =>
    clock.now() + (troubles?.strikes("clock-skew", subject) === true ? FAST_MS : 0);
}
