// The recent load of a machine, which the replica that manages it holds.

import { Fault } from "../../domain/fault.ts";
import type { MachineLoad } from "../../domain/machine/load.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
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

function* requireMachine(accountId: string, id: string): Tx<Fault | null> {
  const refusal = yield* requireOperator(accountId);
  if (refusal) return refusal;
  if ((yield* knownMachines()).some(({ machine }) => machine === id)) return null;
  if ((yield* remoteMachines()).some((remote) => remote.id === id)) return null;
  return new Fault("machine_not_found", { id });
}
