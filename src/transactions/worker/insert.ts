// Creates a worker: its row, its GPUs and the first line of its log.

import { noAllocation, type WorkerRequest } from "../../domain/worker/worker.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";
import { allocateGpus } from "../../store/held-gpu/held-gpu.ts";
import { addSystemLine } from "../../store/log/system-log.ts";
import { insertWorkerRow } from "../../store/worker/worker.ts";

export function* insertWorker(
  worker: WorkerRequest,
  keyHash: string,
  now: number,
  allocation = noAllocation,
): Tx<void> {
  const { id, version, machine } = worker;
  yield* insertWorkerRow(worker, keyHash, now, allocation);
  yield* addSystemLine(id, now, `created for version ${version}, on machine ${machine}`);
  yield* allocateGpus(id, machine, allocation.gpus);
  yield* notify(topic.workloads);
  yield* notify(topic.changedWithin("worker", id));
}
