// The time that a billing history covers, in whole buckets.

import { DAY_MS } from "../../base/units.ts";
import { Fault } from "../../domain/fault.ts";
import {
  type BucketSize,
  bucketEnd,
  bucketSizes,
  bucketStart,
} from "../../domain/money/buckets.ts";

export interface WindowRequest {
  bucketSize: BucketSize;
  /** Rounded down to a bucket. Default: 30 days before the end. */
  startTime: number | null;
  /** Exclusive; rounded up to a bucket. Default: now. */
  endTime: number | null;
}

const DEFAULT_DAYS = 30;
/** The longest history by bucket size. */
const MOST_DAYS: Record<BucketSize, number> = {
  hour: 92,
  day: 3_660,
  week: 3_660,
  month: 36_600,
  year: 36_600,
};

/** Throws a fault if the time is empty or too long. */
export function historyWindow(
  { bucketSize, startTime, endTime }: WindowRequest,
  now: number,
): { from: number; to: number } {
  const end = endTime ?? now;
  const start = startTime ?? end - DEFAULT_DAYS * DAY_MS;
  if (start >= end) {
    throw new Fault("invalid_query", { detail: '"startTime" must be before "endTime".' });
  }
  const from = bucketStart(bucketSize, start);
  const to = end === bucketStart(bucketSize, end) ? end : bucketEnd(bucketSize, end);
  requireAllowed(bucketSize, from, to);
  return { from, to };
}

/** The last buckets, of which the current one is the last. */
export function lastBuckets(
  bucketSize: BucketSize,
  count: number,
  now: number,
): { from: number; to: number } {
  const to = bucketEnd(bucketSize, now);
  let from = to;
  for (let n = 0; n < count; n++) {
    from = bucketStart(bucketSize, from - 1);
    requireAllowed(bucketSize, from, to);
  }
  return { from, to };
}

function requireAllowed(bucketSize: BucketSize, from: number, to: number): void {
  const limit = MOST_DAYS[bucketSize];
  if (to - from <= (limit + 1) * DAY_MS) return;
  const larger = bucketSizes[bucketSizes.indexOf(bucketSize) + 1];
  const instead = larger ? ` Use bucketSize ${larger}, or a shorter time.` : "";
  const detail = `"startTime" and "endTime" can be at most ${limit} days apart with bucketSize ${bucketSize}.${instead}`;
  throw new Fault("invalid_query", { detail });
}
