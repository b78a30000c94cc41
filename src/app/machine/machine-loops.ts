// The loops of one machine: they reconcile what runs there with what is desired, and measure it.

import type { GpuLoad } from "../../domain/machine/load/load.ts";
import type { FabricEngine } from "../../drivers/fabric-engine.ts";
import type { ReadHostLoad } from "../../drivers/machine/load/host-load.ts";
import type { SharedEngine } from "../../drivers/shared-engine.ts";
import type { LocalMachine } from "../../flows/replica/local-drivers.ts";
import { Busy } from "../../loops/engine/busy-workloads.ts";
import type { Loop } from "../../loops/engine/loop.ts";
import { joinFabricLoop } from "../../loops/machines/join-fabric.ts";
import { removeVolumesLoop } from "../../loops/machines/remove-volumes.ts";
import { reportUnknownLoop } from "../../loops/machines/report-unknown.ts";
import { sweepUploadsLoop } from "../../loops/machines/sweep-uploads.ts";
import { tidyLoop } from "../../loops/machines/tidy.ts";
import { measureLoop } from "../../loops/pods/measure.ts";
import type { OwnMachine } from "../../loops/pods/pod-workload.ts";
import { type PodsDeps, reconcilePodsLoop } from "../../loops/pods/reconcile-pods.ts";
import { checkHealthLoop } from "../../loops/workers/check-health.ts";
import { collectLogsLoop } from "../../loops/workers/logs/collect-logs.ts";
import { type ReconcileDeps, reconcileLoop } from "../../loops/workers/reconcile.ts";
import { topic } from "../../store/engine/notifier.ts";

export interface MachineDeps
  extends Omit<ReconcileDeps & PodsDeps, "machine" | "inventory" | "busy"> {
  machine: OwnMachine;
  local: LocalMachine;
  /** The container engine, which other installations may use too; null if the machine has none. */
  engine: SharedEngine | null;
  /** `engine` as part of a fabric. */
  fabricEngine: FabricEngine | null;
  /** The data folder of the service on this machine; null on a remote one. */
  dataFolder: string | null;
  /** Reads the load of its GPUs. */
  gpuUse: () => Promise<GpuLoad[]>;
  /** Reads the load of the machine. */
  hostLoad: ReadHostLoad;
}

export function machineLoops({
  machine,
  local: { usage: book, load, traffic },
  gpuUse,
  hostLoad,
  engine,
  dataFolder,
  fabricEngine,
  ...around
}: MachineDeps): Loop[] {
  const { store, clock, log, drivers, protocol, vault } = around;
  const { id, inventory } = machine;
  const deps = { ...around, busy: new Busy(log, () => store.notifier.notify(topic.workloads)) };
  const hasGpus = () => inventory.gpus.some(({ virtual }) => !virtual);
  return [
    reconcileLoop({ ...deps, machine: id, inventory }),
    checkHealthLoop({ ...deps, machine: id }),
    collectLogsLoop({ store, clock, drivers, machine: id }),
    reconcilePodsLoop({ ...deps, machine }),
    tidyLoop({ ...deps, machine: id }),
    removeVolumesLoop({ ...deps, machine: id, users: () => [{ machine: id, drivers }] }),
    sweepUploadsLoop({ store, clock, drivers, machine: id }),
    ...(engine ? [reportUnknownLoop({ store, log, machine: id, engine, dataFolder })] : []),
    ...(fabricEngine && inventory.fabric
      ? [
          joinFabricLoop({
            store,
            clock,
            log,
            vault,
            machine: id,
            fabric: inventory.fabric,
            engine: fabricEngine,
          }),
        ]
      : []),
    measureLoop({
      store,
      clock,
      log,
      machine,
      drivers,
      book,
      load,
      traffic,
      hostLoad,
      periodMs: protocol.measureMs,
      gpuUse: async () => (hasGpus() ? gpuUse() : []),
    }),
  ];
}
