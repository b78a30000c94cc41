// Records a ping: renews the leases of the jobs it lists, and closes stop requests for jobs it does not.

import { sideBySide, type Tx } from "../../store/engine/statement.ts";
import { renewLease } from "../../store/job/lease.ts";
import { deleteStopRequest, stopsOf } from "../../store/job/stop.ts";

/** Longer than a ping travels. */
const PING_FLIGHT_MS = 2_000;

export const renewLeases = sideBySide(function* renewLeases(
  workerId: string,
  listed: string[],
  now: number,
  leaseMs: number,
): Tx<void> {
  for (const id of listed) yield* renewLease(id, workerId, now + leaseMs);
  for (const stop of yield* stopsOf(workerId)) {
    // A ping that was sent before the stop was requested says nothing about it.
    if (listed.includes(stop.jobId) || stop.requestedAt > now - PING_FLIGHT_MS) continue;
    yield* deleteStopRequest(stop);
  }
});
