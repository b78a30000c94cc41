// Records why the container engine of a machine does not answer.

import type { Tx } from "../../store/engine/statement.ts";
import { setEngineTrouble } from "../../store/replica/inventory.ts";

/** `trouble` is undefined once it answers. */
export function* recordEngineTrouble(machine: string, trouble: string | undefined): Tx<void> {
  yield* setEngineTrouble(machine, trouble);
}
