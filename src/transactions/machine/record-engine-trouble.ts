// Records why the container engine of a machine does not answer, and what it reports of itself once it does.

import type { Inventory } from "../../domain/machine/inventory.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { setEngineFacts, setEngineTrouble } from "../../store/replica/inventory.ts";

/** `trouble` is undefined once it answers. */
export function* recordEngineTrouble(machine: string, trouble: string | undefined): Tx<void> {
  yield* setEngineTrouble(machine, trouble);
}

export function* recordEngineFacts(
  machine: string,
  facts: Pick<Inventory, "system" | "quota">,
): Tx<void> {
  yield* setEngineFacts(machine, facts);
}
