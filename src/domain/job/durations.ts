// How long jobs wait and run, by sizes that grow by the square root of two: so many jobs are a few numbers,
// from which percentiles come out within a fifth of what they are.

/** The size of a time in ms: 0 below one, else from 2 ** ((size - 1) / 2) up to 2 ** (size / 2). */
export function sizeOf(ms: number): number {
  return ms < 1 ? 0 : Math.floor(2 * Math.log2(ms) + 1e-9) + 1;
}

export interface Sized {
  size: number;
  n: number;
}

/** The time in ms that so large a share of jobs did not exceed; null of none. */
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
