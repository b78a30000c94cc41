// The loops that a machine needs for itself: what runs on it is made equal to what is wanted there,
// and measured.

import type { GpuUse } from "../domain/usage/sample.ts";
import type { UsageBook } from "../flows/usage/book.ts";
import { Busy } from "../loops/busy.ts";
import type { Loop } from "../loops/loop.ts";
import { measureLoop } from "../loops/measure.ts";
import type { OwnMachine } from "../loops/pod-workload.ts";
import { type ReconcileDeps, reconcileLoop } from "../loops/reconcile.ts";
import { type PodsDeps, reconcilePodsLoop } from "../loops/reconcile-pods.ts";
import { removeVolumesLoop } from "../loops/remove-volumes.ts";
import { tidyLoop } from "../loops/tidy.ts";
import { topic } from "../store/wakes.ts";

export interface MachineDeps
  extends Omit<ReconcileDeps & PodsDeps, "machine" | "inventory" | "busy"> {
  machine: OwnMachine;
  usage: UsageBook;
  /** What its GPUs are doing. */
  gpuUse: () => Promise<GpuUse[]>;
}

export function machineLoops({ machine, usage: book, gpuUse, ...around }: MachineDeps): Loop[] {
  const { store, clock, log, drivers, protocol } = around;
  const { id, inventory } = machine;
  const deps = { ...around, busy: new Busy(log, () => store.wakes.ring(topic.workloads)) };
  const hasGpus = inventory.gpus.some(({ virtual }) => !virtual);
  return [
    reconcileLoop({ ...deps, machine: id, inventory }),
    reconcilePodsLoop({ ...deps, machine }),
    tidyLoop({ ...deps, machine: id }),
    removeVolumesLoop({ ...deps, machine: id }),
    measureLoop({
      ...{ store, clock, log, machine, drivers, book },
      periodMs: protocol.measureMs,
      gpuUse: hasGpus ? gpuUse : async () => [],
    }),
  ];
}
