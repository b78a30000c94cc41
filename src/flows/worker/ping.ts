// A worker pings: it is alive and holds these jobs, or it cannot serve.

import type { Clock } from "../../base/clock.ts";
import type { Protocol } from "../../domain/protocol.ts";
import type { ProgramStart } from "../../domain/worker/program-start.ts";
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
  start: ProgramStart | null;
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
  const { store, clock, protocol } = deps;
  const settings = { leaseMs: protocol.leaseMs, isTraced: store.notifier.tracer !== null };
  await store.write(recordPing, workerId, sign, settings, clock.now());
}

const recordPing = sideBySide(function* recordPing(
  workerId: string,
  sign: Ping,
  { leaseMs, isTraced }: { leaseMs: number; isTraced: boolean },
  now: number,
): Tx<void> {
  const { version: pingVersion, start } = sign;
  yield* recordSign(workerId, { ready: true, pingVersion }, now, { isTraced, start });
  yield* renewLeases(workerId, sign.jobIds, now, leaseMs);
});
