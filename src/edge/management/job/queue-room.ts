// The limit of jobs that wait in a queue.

import type { Endpoint } from "../../../domain/endpoint/endpoint.ts";
import { Fault } from "../../../domain/fault.ts";
import type { RateLimits } from "../../../flows/rate-limits.ts";

/** Throws where the queue is full. */
export async function mustHaveRoom(
  { rates }: { rates: RateLimits },
  endpoint: Endpoint,
): Promise<void> {
  const waiting = await rates.waitingInFull(endpoint);
  if (waiting === null) return;
  const { workersMax } = endpoint.spec;
  const detail = `${waiting} jobs wait in this queue, which may have ${workersMax} workers`;
  throw new Fault("rate_limited", { detail }, { retryAfterS: 5 });
}
