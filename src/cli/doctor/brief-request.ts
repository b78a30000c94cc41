// A request of doctor to the service, which it waits for as long as for everything else that it checks.

import type { RunningService } from "../client/running-service.ts";
import type { Finding } from "./finding.ts";

/** What accepts a connection and does not answer by then is reported, not waited for. */
export const LONGEST_CHECK_S = 5;
export const LONGEST_CHECK_MS = LONGEST_CHECK_S * 1_000;

/** The answer as JSON, null if the service refuses; and what to report if it does not answer in time. */
export async function askBriefly<Answer>(
  { origin, key }: RunningService,
  path: string,
  about: string,
): Promise<{ answer: Answer | null; slow: Finding[] }> {
  const headers = { authorization: `Bearer ${key}` };
  try {
    const signal = AbortSignal.timeout(LONGEST_CHECK_MS);
    const answer = await fetch(origin + path, { headers, signal });
    if (answer.ok) return { answer: (await answer.json()) as Answer, slow: [] };
    await answer.body?.cancel();
    return { answer: null, slow: [] };
  } catch {
    const says = `the service did not answer within ${LONGEST_CHECK_S} s, so this was not checked`;
    const fix = "run the command again when the service is less busy";
    return { answer: null, slow: [{ level: "warn", about, says, fix }] };
  }
}
