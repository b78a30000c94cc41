// Records why the kernel log of a machine cannot be read.

import type { Tx } from "../../../store/engine/statement.ts";
import { setKernelLogTrouble } from "../../../store/replica/inventory.ts";

/** `trouble` is null once it can be read. */
export function* recordKernelLog(machine: string, trouble: string | null): Tx<void> {
  yield* setKernelLogTrouble(machine, trouble ?? undefined);
}
