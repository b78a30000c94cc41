// A request of doctor to the service, which it waits for as long as for everything else that it checks.

import type { Service } from "../client/running-service.ts";

/** What accepts a connection and does not answer by then is reported, not waited for. */
export const LONGEST_CHECK_MS = 5_000;

/** The answer as JSON; null if there is none in time, or the service refuses. */
export async function askBriefly<Answer>(
  { origin, key }: Service,
  path: string,
): Promise<Answer | null> {
  const headers = { authorization: `Bearer ${key}` };
  try {
    const signal = AbortSignal.timeout(LONGEST_CHECK_MS);
    const answer = await fetch(origin + path, { headers, signal });
    if (answer.ok) return (await answer.json()) as Answer;
    await answer.body?.cancel();
  } catch {
    // The check of the address says what is wrong.
  }
  return null;
}
