// Whether a worker ends because its GPU is in quarantine: an error of its job is then the GPU's.

import type { Tx } from "../../store/engine/statement.ts";
import { gpusHeldBy } from "../../store/held-gpu/held-gpu.ts";
import { gpuHealthOf } from "../../store/replica/gpu-health.ts";
import { recordedInventory } from "../../store/replica/inventory.ts";
import { findWorker } from "../../store/worker/worker.ts";

/** A quarantine requests the worker's end in its own commit, so that other workers need no further read. */
export function* isOnQuarantinedGpu(workerId: string): Tx<boolean> {
  const worker = yield* findWorker(workerId);
  if (worker?.desired !== "end") return false;
  for (const { machine, gpu } of yield* gpusHeldBy(workerId)) {
    const { quarantines = {} } = (yield* gpuHealthOf(machine)) ?? {};
    const { gpuNumbers = {} } = (yield* recordedInventory(machine)) ?? {};
    if (Object.keys(quarantines).some((uuid) => gpuNumbers[uuid] === gpu)) return true;
  }
  return false;
}
