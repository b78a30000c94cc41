// Removing a remote by the operator: a machine, or a cluster with the machines that are its nodes. It fails while
// workloads or volumes are there, unless forced: then its Pods and volumes are deleted, as with a lost machine.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { volumesOn } from "../../store/network-volume/network-volume.ts";
import { podsOn } from "../../store/pod/row.ts";
import { lockRemote } from "../../store/remote-machine/remote-machine.ts";
import { knownMachines } from "../../store/replica/inventory.ts";
import { lockMachine } from "../../store/replica/offers.ts";
import { liveWorkersOn } from "../../store/worker/worker.ts";
import { requireOperator } from "../../transactions/account/require-operator.ts";
import { emptyMachine } from "../../transactions/machine/empty.ts";
import { loseMachine } from "../../transactions/machine/lose.ts";
import { removeRemote } from "../../transactions/machine/remove.ts";
import { throwRefusal } from "../throw-refusal.ts";

export async function removeMachine(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  id: string,
  force: boolean,
): Promise<void> {
  await throwRefusal(store.write(remove, accountId, id, force, clock.now()));
}

function* remove(accountId: string, id: string, force: boolean, now: number): Tx<Fault | null> {
  const refusal = yield* requireOperator(accountId);
  if (refusal) return refusal;
  const known = yield* knownMachines();
  if (!(yield* lockRemote(id))) {
    const cluster = known.find(({ machine }) => machine === id)?.inventory.node?.remote;
    return cluster
      ? new Fault("machine_of_cluster", { id, cluster })
      : new Fault("machine_not_found", { id });
  }
  const nodes = known.filter(({ inventory }) => inventory.node?.remote === id);
  const machines = [id, ...nodes.map(({ machine }) => machine)];
  // In one order, and before anything is counted: what others place on them is committed by then, or goes elsewhere.
  for (const machine of machines.toSorted()) yield* lockMachine(machine);
  const users = yield* usersOn(machines);
  if (users !== null && !force) return new Fault("machine_in_use", { id, users });
  for (const machine of machines) yield* emptyMachine(machine, now);
  yield* removeRemote(id, machines);
  for (const machine of machines) yield* loseMachine(machine, "all", now, now);
  return null;
}

/** "2 Pods, 1 network volume", or null if the machines are empty. */
function* usersOn(machines: readonly string[]): Tx<string | null> {
  const counts: [count: number, noun: string][] = [
    [yield* countOn(machines, podsOn), "Pod"],
    [yield* countOn(machines, liveWorkersOn), "worker"],
    [yield* countOn(machines, volumesOn), "network volume"],
  ];
  const remaining = counts.filter(([count]) => count > 0);
  if (remaining.length === 0) return null;
  return remaining.map(([count, noun]) => `${count} ${noun}${count > 1 ? "s" : ""}`).join(", ");
}

function* countOn(machines: readonly string[], on: (machine: string) => Tx<unknown[]>): Tx<number> {
  let count = 0;
  for (const machine of machines) count += (yield* on(machine)).length;
  return count;
}
