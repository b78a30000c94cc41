// Records the GPUs that a machine offers.

import type { Inventory } from "../../../domain/machine/inventory.ts";
import { topic } from "../../../store/engine/notifier.ts";
import { notify, type Tx } from "../../../store/engine/statement.ts";
import { addSystemLogLine } from "../../../store/log/system-log.ts";
import { type GpuReading, setGpuReading } from "../../../store/replica/inventory.ts";
import { markUnhealthy } from "../../worker/observe.ts";

export function* recordGpuReading(machine: string, reading: GpuReading): Tx<void> {
  yield* setGpuReading(machine, reading);
  yield* notify(topic.fleet);
  yield* notify(topic.workloads);
}

/** Records the GPUs after one was lost, with the reason why the workload on it ends. */
export function* loseGpu(
  machine: string,
  gpus: Inventory["gpus"],
  { id, sentence, at }: { id: string; sentence: string; at: number },
): Tx<void> {
  yield* recordGpuReading(machine, { gpus });
  yield* markUnhealthy(id, sentence);
  yield* addSystemLogLine(id, at, sentence);
}
