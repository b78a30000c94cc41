// NVLinks that an operator has count anew: those that were up before, as with a bridge that was removed, are missed no longer.

import { topic } from "../../../store/engine/notifier.ts";
import { notify, type Tx } from "../../../store/engine/statement.ts";
import { lockGpuHealth, setGpuHealth } from "../../../store/replica/gpu-health.ts";
import { recordedInventory } from "../../../store/replica/inventory.ts";

/** The next reading does it: the links are with the reader of the machine's GPUs. */
export function* forgetLinks(machine: string, uuids: readonly string[]): Tx<void> {
  if (uuids.length === 0) return;
  const { gpuLinks = {} } = (yield* recordedInventory(machine)) ?? {};
  const linked = uuids.filter((uuid) => Object.hasOwn(gpuLinks, uuid));
  const before = linked.length === 0 ? undefined : yield* lockGpuHealth(machine);
  if (!before) return;
  const forgottenLinks = [...new Set([...(before.forgottenLinks ?? []), ...linked])];
  yield* setGpuHealth(machine, { ...before, forgottenLinks });
  yield* notify(topic.gpus(machine));
}

/** After a reading that forgot these was recorded. */
export function* recordForgottenLinks(machine: string, uuids: readonly string[]): Tx<void> {
  const before = yield* lockGpuHealth(machine);
  if (!before) return;
  const { forgottenLinks = [] } = before;
  const others = forgottenLinks.filter((uuid) => !uuids.includes(uuid));
  yield* setGpuHealth(machine, { ...before, forgottenLinks: others });
}
