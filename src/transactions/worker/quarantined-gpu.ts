// Whether a worker ends because its GPU is in quarantine: an error of its job is then the GPU's.

import { quarantinedGpus } from "../../domain/gpu/gpu-health.ts";
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
    const health = (yield* gpuHealthOf(machine)) ?? {};
    const inventory = (yield* recordedInventory(machine)) ?? {};
    if (quarantinedGpus(inventory, health).has(gpu)) return true;
  }
  return false;
}
