// A worker says that it is alive and which jobs it holds, or that it cannot serve.

import type { Clock } from "../../base/clock.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { renewLeases } from "../../store/job/lease.ts";
import { sideBySide, type Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { markUnhealthy, noteSign } from "../../store/worker/worker.ts";

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
  await deps.store.write(notePing, workerId, sign, deps.clock.now(), deps.protocol.leaseMs);
}

const notePing = sideBySide(function* notePing(
  workerId: string,
  sign: Ping,
  now: number,
  leaseMs: number,
): Verb<void> {
  yield* noteSign(workerId, { ready: true, pingVersion: sign.version }, now);
  yield* renewLeases(workerId, sign.jobIds, now, leaseMs);
});
