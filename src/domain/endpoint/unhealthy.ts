// The number of unhealthy workers of an endpoint: those that cannot serve, and those that have just
// failed and are being retried. Pure.

import { census, type Fleet, ready } from "./fleet.ts";
import { decideFleet } from "./fleet-plan.ts";

/** How long a worker that failed counts: the longest back-off, after which it is tried again. */
const SHOWN_MS = 300_000;

interface Failure {
  endedAt: number;
}

/** The failures that may count now, of those that the crash-loop back-off counts. */
export function recentFailures<Each extends Failure>(
  failures: readonly Each[],
  now: number,
): Each[] {
  return failures.filter(({ endedAt }) => endedAt > now - SHOWN_MS);
}

/**
 * A failure counts only while a desired worker that would replace it is not ready, so there are
 * never more failures than missing workers.
 */
export function countUnhealthy(fleet: Fleet, failures: readonly Failure[]): number {
  const { all } = census(fleet);
  const wanted = Math.min(decideFleet(fleet).reason.facts.desired, fleet.policy.workersMax);
  const missing = Math.max(0, wanted - ready(all));
  return all.unhealthy + Math.min(recentFailures(failures, fleet.now).length, missing);
}
