// The loops that a machine needs for itself: what runs on it is made equal to what is wanted there.

import type { PodKeys } from "../flows/pod/own-key.ts";
import { Busy } from "../loops/busy.ts";
import type { Loop } from "../loops/loop.ts";
import type { OwnMachine } from "../loops/pod-workload.ts";
import { type ReconcileDeps, reconcileLoop } from "../loops/reconcile.ts";
import { reconcilePodsLoop } from "../loops/reconcile-pods.ts";
import { tidyLoop } from "../loops/tidy.ts";

export interface MachineDeps extends Omit<ReconcileDeps, "machine" | "inventory" | "busy"> {
  machine: OwnMachine;
  podKeys: PodKeys;
}

export function machineLoops({ machine, ...around }: MachineDeps): Loop[] {
  const deps = { ...around, busy: new Busy(around.log) };
  return [
    reconcileLoop({ ...deps, machine: machine.id, inventory: machine.inventory }),
    reconcilePodsLoop({ ...deps, machine }),
    tidyLoop({ ...deps, machine: machine.id }),
  ];
}
