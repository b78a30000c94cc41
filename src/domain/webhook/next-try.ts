// What follows from one try of a webhook delivery. Pure.

export interface TryOutcome {
  /** The receiver's answer; null where none came. */
  status: number | null;
  /** Why none came, or what is wrong with it; null for a 2xx. */
  error: string | null;
}

export type AfterTry =
  | { state: "delivered" | "failed"; nextAt: null }
  | { state: "waiting"; nextAt: number };

/** `triesMade` counts this one. There is one try more than there are pauses between tries. */
export function afterTry(
  triesMade: number,
  { error }: TryOutcome,
  backoffMs: readonly number[],
  now: number,
): AfterTry {
  if (error === null) return { state: "delivered", nextAt: null };
  const pauseMs = backoffMs[triesMade - 1];
  if (pauseMs === undefined) return { state: "failed", nextAt: null };
  return { state: "waiting", nextAt: now + pauseMs };
}

/** What is wrong with an answer, in words; null for a 2xx. */
export function answerError(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  const redirect = status >= 300 && status < 400;
  return redirect
    ? `it answered ${status}, and redirects are not followed`
    : `it answered ${status}`;
}
