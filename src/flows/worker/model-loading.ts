// The download that a worker waits for before it starts.

import { loadingOf, type ModelLoading } from "../../domain/model/loading.ts";
import type { Worker, WorkerWithJobs } from "../../domain/worker/worker.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { releaseModels } from "../../store/release-model/release-model.ts";
import { modelsOn } from "../../store/replica/inventory.ts";

export type StartingWorker = WorkerWithJobs & {
  /** The model whose download it waits for; null if it waits for none. */
  loading: ModelLoading | null;
};

export function* withLoading(worker: WorkerWithJobs): Tx<StartingWorker> {
  return { ...worker, loading: yield* modelLoading(worker) };
}

/** Null if the worker waits for no model. */
export function* modelLoading({
  observed,
  endpointId,
  version,
  machine,
}: Pick<Worker, "observed" | "endpointId" | "version" | "machine">): Tx<ModelLoading | null> {
  if (observed !== "new") return null;
  const pinned = yield* releaseModels(endpointId, version);
  return pinned.length === 0 ? null : loadingOf(pinned, yield* modelsOn(machine));
}
