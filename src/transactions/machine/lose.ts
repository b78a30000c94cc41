// Marks a silent machine as lost, and ends its workers.

import { machineOffline } from "../../domain/notification/machine-events.ts";
import { ALL_ACCOUNTS, topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";
import { setLost, wasSeenSince } from "../../store/replica/replica.ts";
import { type Lost, setWorkerReason, workersLostOn } from "../../store/worker/lost.ts";
import { raiseOperatorEvent } from "../notification/raise.ts";
import { logMachineLost } from "../pod/machine-log.ts";
import { markEnded } from "../worker/observe.ts";

/** Marks machines whose last heartbeat is not after `seenUpTo` as lost, until their next one. */
export function* markLost(seenUpTo: number, now: number): Tx<void> {
  for (const machine of yield* setLost(seenUpTo, now)) {
    yield* logMachineLost(machine, now);
    yield* raiseOperatorEvent(machineOffline(machine, now, false));
  }
}

/** Ends a machine's workers, unless it had a heartbeat after `seenUpTo`; returns how many. */
export function* loseMachine(
  machine: string,
  lost: Lost,
  seenUpTo: number,
  now: number,
): Tx<number> {
  if (yield* wasSeenSince(machine, seenUpTo)) return 0;
  const workers = yield* workersLostOn(machine, lost);
  for (const id of workers) {
    yield* setWorkerReason(id, reasons[lost]);
    yield* markEnded(id, { at: now, exitCode: null, signal: null });
  }
  if (workers.length > 0) yield* notify(topic.workloads);
  yield* notify(topic.changed(ALL_ACCOUNTS, "machine", machine));
  return workers.length;
}

const reasons: Record<Lost, string> = {
  all: "the machine it ran on was lost",
  not_started: "the machine it was to run on fell silent before it was started",
};
