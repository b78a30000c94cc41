// What other installations have on a machine's engine.

import type { Tx } from "../../store/engine/statement.ts";
import {
  type ObservedInstallation,
  recordUnknownInstallations,
  setRemoval,
} from "../../store/unknown-installation/unknown-installation.ts";

export function* recordUnknown(
  machine: string,
  observed: readonly ObservedInstallation[],
): Tx<void> {
  yield* recordUnknownInstallations(machine, observed);
}

/** A removal that was tried is requested no longer. */
export function* endRemoval(machine: string, installation: string): Tx<void> {
  yield* setRemoval(machine, installation, null);
}
