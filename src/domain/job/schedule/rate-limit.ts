// Rate limits per key. Held jobs of a key enter the queue at an even pace: the generic cell rate algorithm, in
// microseconds so that a pace of many jobs a second does not drift.

export interface RateLimit {
  key: string;
  /** Jobs per `period`. */
  limit: number;
  /** Seconds. */
  period: number;
  /** How many jobs enter at once after a quiet time. */
  burst: number;
}

export type Pace = Omit<RateLimit, "key">;

export const paceOf = ({ limit, period, burst }: RateLimit): Pace => ({ limit, period, burst });

/** A tenth of a second's jobs: at a high rate, jobs enter in groups. */
export function defaultBurst({ limit, period }: Omit<Pace, "burst">): number {
  return Math.max(1, Math.ceil(limit / period / 10));
}

export function completeRateLimit(limit: Omit<RateLimit, "burst"> & { burst?: number }): RateLimit {
  return { ...limit, burst: limit.burst ?? defaultBurst(limit) };
}

export interface RateDecision {
  /** How many of the held jobs enter the queue now. */
  admitted: number;
  /** The instant at which the pace of the admitted jobs is used up, in microseconds; what the key remembers. */
  nextUs: number;
  /** The earliest instant at which another job may enter, in milliseconds. */
  readyAt: number;
}

/**
 * Decides how many of `held` jobs enter the queue at `now`. In any window of `period` seconds at most
 * `limit + burst - 1` do.
 */
export function admitAtRate(
  pace: Pace,
  { nextUs, held }: { nextUs: number; held: number },
  now: number,
): RateDecision {
  const gapUs = Math.ceil((pace.period * 1_000_000) / pace.limit);
  const toleranceUs = (pace.burst - 1) * gapUs;
  const nowUs = now * 1_000;
  const fromUs = Math.max(nextUs, nowUs);
  const free = Math.max(0, Math.floor((nowUs + toleranceUs - fromUs) / gapUs) + 1);
  const admitted = Math.min(held, free);
  const usedUs = admitted > 0 ? fromUs + admitted * gapUs : nextUs;
  return { admitted, nextUs: usedUs, readyAt: Math.ceil((usedUs - toleranceUs) / 1_000) };
}
