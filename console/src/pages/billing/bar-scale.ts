// The scale of the spending bars: the buckets of the whole range, and readable ticks.

import { formatUtcDateTime } from "../../components/format/time.ts";
import { DAY_MS, HOUR_MS } from "../../time-units.ts";
import type { Bucket } from "./use-spending.ts";

/** The starts of the buckets from the one of `from` to the one of `to`, in UTC; a week begins on Monday. */
export function bucketTimes(from: number, to: number, bucket: Bucket): number[] {
  const all: number[] = [];
  for (let at = bucketStart(from, bucket); at <= to; at = nextBucket(at, bucket)) all.push(at);
  return all;
}

function bucketStart(at: number, bucket: Bucket): number {
  const date = new Date(at);
  if (bucket === "hour") return Math.floor(at / HOUR_MS) * HOUR_MS;
  if (bucket === "month") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  const day = Math.floor(at / DAY_MS) * DAY_MS;
  return bucket === "day" ? day : day - ((date.getUTCDay() + 6) % 7) * DAY_MS;
}

function nextBucket(at: number, bucket: Bucket): number {
  const date = new Date(at);
  if (bucket === "month") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  return at + { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS }[bucket];
}

/** Ticks from 0 to at least the peak, at 1, 2 or 5 times a power of ten. */
export function ticksUpTo(peak: number): number[] {
  if (peak <= 0) return [0, 1];
  const rough = peak / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((each) => each * power >= rough) ?? 10);
  const count = Math.ceil(peak / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, n) => n * step);
}

/** "2026-11-22 14:00", "2026-11-22" or "2026-11" */
export function formatBucket(at: number, bucket: Bucket): string {
  const text = formatUtcDateTime(at);
  if (bucket === "hour") return text;
  return text.slice(0, bucket === "month" ? "2026-11".length : "2026-11-22".length);
}
