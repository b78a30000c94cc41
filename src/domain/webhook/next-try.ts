// Decides what follows one try of a webhook delivery. Pure.

export interface TryOutcome {
  /** The receiver's status; null if there was no response. */
  status: number | null;
  /** Why there was no response, or what is wrong with it; null for a 2xx. */
  error: string | null;
}

export type AfterTry =
  | { state: "delivered" | "failed"; nextAt: null }
  | { state: "waiting"; nextAt: number };

/** `triesMade` includes this one. There is one more try than there are pauses. */
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

/** What is wrong with a response, as text; null for a 2xx. */
export function answerError(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  const redirect = status >= 300 && status < 400;
  return redirect
    ? `it answered ${status}, and redirects are not followed`
    : `it answered ${status}`;
}
