// Records what a machine did in an interval.

import type { MachineLoad } from "../../domain/machine/load/load.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { saveLoad } from "../../store/machine-load/machine-load.ts";

export function* recordLoad(machine: string, interval: MachineLoad): Tx<void> {
  yield* saveLoad(machine, interval);
}
