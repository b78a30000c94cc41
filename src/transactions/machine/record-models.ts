// Records the models in a machine's cache, and how far its downloads are.

import type { MachineModel } from "../../domain/machine/inventory.ts";
import { topic } from "../../store/engine/notifier.ts";
import { needsNoSync, notify, type Tx } from "../../store/engine/statement.ts";
import { setModels } from "../../store/replica/inventory.ts";

/** `waiting` are the workers that wait for downloads. Observed again after a crash, so the disk need not have it. */
export function* recordModels(
  machine: string,
  models: readonly MachineModel[],
  waiting: readonly string[],
): Tx<void> {
  yield* needsNoSync();
  yield* setModels(machine, models);
  for (const id of waiting) yield* notify(topic.changedWithin("worker", id));
}
