// The interval that holds a median: by order statistics, so one slow turn does not widen it.

import { median } from "../comparison.ts";

export interface MedianInterval {
  median: number;
  low: number;
  high: number;
}

/** The normal distribution's quantile of 95 %. */
const Z = 1.96;

/** The median of at least six values, and the interval that holds that of all possible values with 95 %. */
export function medianInterval(values: number[]): MedianInterval {
  const sorted = values.toSorted((a, b) => a - b);
  const count = sorted.length;
  const rank = Math.max(0, Math.floor((count - Z * Math.sqrt(count)) / 2));
  return { median: median(sorted), low: sorted[rank]!, high: sorted[count - 1 - rank]! };
}
