// The buckets of a billing history, in UTC. A week begins on Monday.

import { DAY_MS, HOUR_MS } from "../../base/units.ts";

export const bucketSizes = ["hour", "day", "week", "month", "year"] as const;
export type BucketSize = (typeof bucketSizes)[number];

/** 1970-01-01 was a Thursday. */
const MONDAY = 4;

/** The start of the bucket that contains `at`. */
export function bucketStart(size: BucketSize, at: number): number {
  const date = new Date(at);
  switch (size) {
    case "hour":
      return Math.floor(at / HOUR_MS) * HOUR_MS;
    case "day":
      return Math.floor(at / DAY_MS) * DAY_MS;
    case "week":
      return (Math.floor((Math.floor(at / DAY_MS) - MONDAY) / 7) * 7 + MONDAY) * DAY_MS;
    case "month":
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
    case "year":
      return Date.UTC(date.getUTCFullYear(), 0, 1);
  }
}

/** The start of the next bucket. */
export function bucketEnd(size: BucketSize, at: number): number {
  const start = new Date(bucketStart(size, at));
  switch (size) {
    case "hour":
      return start.getTime() + HOUR_MS;
    case "day":
      return start.getTime() + DAY_MS;
    case "week":
      return start.getTime() + 7 * DAY_MS;
    case "month":
      return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1);
    case "year":
      return Date.UTC(start.getUTCFullYear() + 1, 0, 1);
  }
}
