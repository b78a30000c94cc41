// When a certificate that Freehold gets for itself is renewed. Pure.

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/units.ts";
import type { CertificateLife } from "./certificate-ending.ts";

/** Two thirds of the life, so that short-lived certificates are renewed in time as well. */
export const renewalAt = ({ startsAt, endsAt }: CertificateLife): number =>
  startsAt + ((endsAt - startsAt) * 2) / 3;

const FIRST_DELAY_MS = 15 * MINUTE_MS;
const MAX_DELAY_MS = 12 * HOUR_MS;
/** Nothing shows a longer wait to be meant: certificates end meanwhile. */
const MAX_RETRY_AFTER_MS = 7 * DAY_MS;
/** How far the clocks of replicas may differ. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

/** Whether the clock was ahead when the order failed, so that its times say nothing. */
export const isOfFuture = ({ at }: { at: number }, now: number): boolean =>
  at > now + CLOCK_SKEW_MS;

/**
 * The next try after `count` failures in a row: servers limit failures by name and hour. The server's own word counts if it
 * asks to wait longer.
 */
export function retryAt(count: number, retryAfterMs: number | null, now: number): number {
  const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (count - 1));
  return now + Math.max(delayMs, Math.min(MAX_RETRY_AFTER_MS, retryAfterMs ?? 0));
}
