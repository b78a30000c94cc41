// The load of a machine: the last hour, which the replica that manages it holds, or the stored days.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import type { MachineLoad } from "../../domain/machine/load/load.ts";
import {
  LOAD_RANGES,
  type LoadRange,
  summarizeIntervals,
} from "../../domain/machine/load/load-history.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { loadsBetween } from "../../store/machine-load/machine-load.ts";
import { remoteMachines } from "../../store/remote-machine/remote-machine.ts";
import { knownMachines } from "../../store/replica/inventory.ts";
import { requireOperator } from "../../transactions/account/require-operator.ts";
import type { LogSources } from "../replica/log-source.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { loadOf } from "../usage/read.ts";

/** Oldest first; empty for a cluster, whose nodes have a load each, and for a machine that does not respond. */
export async function machineLoadOf(
  deps: LogSources & { store: Store },
  accountId: string,
  machine: string,
): Promise<MachineLoad[]> {
  await throwRefusal(deps.store.read(requireMachine, accountId, machine));
  return loadOf(deps, machine);
}

/** The summaries of a range, oldest first; they outlive restarts, and a machine that does not respond has them too. */
export async function machineLoadHistory(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  machine: string,
  range: LoadRange,
): Promise<MachineLoad[]> {
  await throwRefusal(store.read(requireMachine, accountId, machine));
  const { lengthMs, intervalMs } = LOAD_RANGES[range];
  const now = clock.now();
  // A clock that was ahead has left intervals of times to come.
  const samples = await store.read(loadsBetween, machine, now - lengthMs, now);
  return summarizeIntervals(samples, intervalMs);
}

function* requireMachine(accountId: string, id: string): Tx<Fault | null> {
  const refusal = yield* requireOperator(accountId);
  if (refusal) return refusal;
  if ((yield* knownMachines()).some(({ machine }) => machine === id)) return null;
  if ((yield* remoteMachines()).some((remote) => remote.id === id)) return null;
  return new Fault("machine_not_found", { id });
}
