// Histograms of how long jobs wait and run. Bucket sizes grow by the square root of two, so many jobs
// become a few numbers, and percentiles are accurate to a fifth.

/**
 * The bucket of a duration in ms: 0 below 1 ms; bucket n spans from 2 ** ((n - 1) / 2) to 2 ** (n /
 * 2).
 */
export function durationBucket(ms: number): number {
  return ms < 1 ? 0 : Math.floor(2 * Math.log2(ms) + 1e-9) + 1;
}

export interface Sized {
  size: number;
  n: number;
}

/** The duration in ms that this share of jobs did not exceed; null if there are no jobs. */
export function quantile(sizes: Sized[], share: number): number | null {
  const total = sizes.reduce((sum, { n }) => sum + n, 0);
  if (total === 0) return null;
  let before = 0;
  for (const { size, n } of [...sizes].sort((a, b) => a.size - b.size)) {
    const within = (share * total - before) / n;
    if (within <= 1 + 1e-9) return size === 0 ? 0 : Math.round(2 ** ((size - 1 + within) / 2));
    before += n;
  }
  return null;
}
