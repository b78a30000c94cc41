// The start of a log query: an instant, or a duration before now. Pure.

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/units.ts";

const INSTANT = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const SPAN = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;
const UNITS_MS = [DAY_MS, HOUR_MS, MINUTE_MS, 1_000];

/** Milliseconds since the epoch for "2026-01-31T18:00:00Z" or "1h30m"; null for any other text. */
export function sinceOf(text: string, now: number): number | null {
  if (INSTANT.test(text)) {
    const at = Date.parse(text);
    return Number.isNaN(at) ? null : at;
  }
  const counts = SPAN.exec(text)?.slice(1);
  if (!counts?.some((count) => count !== undefined)) return null;
  const spanMs = counts.reduce((sum, count, n) => sum + Number(count ?? 0) * UNITS_MS[n]!, 0);
  return Number.isSafeInteger(spanMs) ? Math.max(0, now - spanMs) : null;
}
