// Records how wrong the clock of a machine's engine is, as its reports show.

import type { Tx } from "../../store/engine/statement.ts";
import { setClockSkew } from "../../store/replica/inventory.ts";

export function* recordSkew(machine: string, skewMs: number): Tx<void> {
  yield* setClockSkew(machine, skewMs);
}
