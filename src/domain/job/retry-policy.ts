// Decides whether a failed attempt of a job is followed by another one, and when. Pure: its inputs are
// the job's policy, how the attempt failed, a random number, and now.

/** The ways in which an attempt fails that a policy may name. */
const retryOutcomes = ["error", "workerLost", "outOfMemory", "timeout"] as const;
export type RetryOutcome = (typeof retryOutcomes)[number];

/** A policy as clients write it, with every default filled in. Times are in seconds. */
export interface RetryPolicy {
  /** The first attempt included. */
  maxAttempts: number;
  /** The outcomes that are tried again; any other ends the job. */
  on: RetryOutcome[];
  /** The pause before the second attempt; each further pause is `factor` times as long. */
  delay: number;
  factor: number;
  maxDelay: number;
  /** Whether each pause is drawn between its half and its whole. Absent from policies stored before it existed. */
  jitter?: boolean;
  /** The job is quarantined once this many workers have ended while they had it. */
  quarantineAfter?: number;
}

/** What a policy's members are where the client leaves them out. */
export const retryDefaults: RetryPolicy = {
  maxAttempts: 3,
  on: [...retryOutcomes],
  delay: 5,
  factor: 2,
  maxDelay: 300,
  jitter: false,
};

/** An outcome that is named twice counts once. */
export function completeRetryPolicy(request: Partial<RetryPolicy>): RetryPolicy {
  const policy = { ...retryDefaults, ...request };
  return { ...policy, on: retryOutcomes.filter((outcome) => policy.on.includes(outcome)) };
}

/** The rule for a job without a policy: a lost worker's job is dispatched once more, at once. */
const withoutPolicy: RetryPolicy = {
  maxAttempts: 2,
  on: ["workerLost", "outOfMemory"],
  delay: 0,
  factor: 1,
  maxDelay: 0,
};

export interface FailedAttempt {
  outcome: RetryOutcome;
  /** How often the job has been tried again before. */
  retries: number;
  /** How many workers have ended while they had the job, this one included. */
  endedWorkers: number;
  ttlAt: number;
  /** A random number from 0 up to 1: where a pause with jitter falls. */
  draw: number;
}

type RetryDecision = { event: "retry"; at: number } | { event: "fail" } | { event: "quarantine" };

/** A retry that would begin after the time to live is over is no retry. */
export function decideRetry(
  policy: RetryPolicy | null,
  { outcome, retries, endedWorkers, ttlAt, draw }: FailedAttempt,
  now: number,
): RetryDecision {
  const rule = policy ?? withoutPolicy;
  if (rule.quarantineAfter !== undefined && endedWorkers >= rule.quarantineAfter) {
    return { event: "quarantine" };
  }
  if (!rule.on.includes(outcome) || retries + 1 >= rule.maxAttempts) return { event: "fail" };
  const at = now + pauseMs(rule, retries, draw);
  return at < ttlAt ? { event: "retry", at } : { event: "fail" };
}

/** The move of a job that is tried again: at once, or after a delay. */
export function retryMove(at: number, now: number): "lose" | "backOff" {
  return at > now ? "backOff" : "lose";
}

function pauseMs(
  { delay, factor, maxDelay, jitter }: RetryPolicy,
  retries: number,
  draw: number,
): number {
  const whole = Math.min(maxDelay, delay * factor ** retries);
  return Math.round((jitter ? (whole * (1 + draw)) / 2 : whole) * 1_000);
}
