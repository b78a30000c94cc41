// A worker pings: it is alive and holds these jobs, or it cannot serve.

import type { Clock } from "../../base/clock.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { sideBySide, type Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { renewLeases } from "../../transactions/job/renew-leases.ts";
import { markUnhealthy } from "../../transactions/worker/observe.ts";
import { recordSign } from "../../transactions/worker/record-sign.ts";

export interface Ping {
  jobIds: string[];
  version: string | null;
  /** The failed start-up check, where the worker reports one. */
  unhealthy: string | null;
}

export async function ping(
  deps: { store: Store; clock: Clock; protocol: Protocol },
  workerId: string,
  sign: Ping,
): Promise<void> {
  if (sign.unhealthy !== null) {
    await deps.store.write(markUnhealthy, workerId, sign.unhealthy);
    return;
  }
  await deps.store.write(recordPing, workerId, sign, deps.clock.now(), deps.protocol.leaseMs);
}

const recordPing = sideBySide(function* recordPing(
  workerId: string,
  sign: Ping,
  now: number,
  leaseMs: number,
): Tx<void> {
  yield* recordSign(workerId, { ready: true, pingVersion: sign.version }, now);
  yield* renewLeases(workerId, sign.jobIds, now, leaseMs);
});
