// Removes a remote with its machines.

import type { Tx } from "../../store/engine/statement.ts";
import { forgetFabricMachine } from "../../store/fabric/fabric.ts";
import { deleteRemote } from "../../store/remote-machine/remote-machine.ts";
import { deleteReplicaOn } from "../../store/replica/replica.ts";
import { forgetUnknownInstallationsOn } from "../../store/unknown-installation/unknown-installation.ts";

/** The remote must be locked, and nothing may be left on its machines. */
export function* removeRemote(id: string, machines: readonly string[]): Tx<void> {
  yield* deleteRemote(id);
  for (const machine of machines) {
    yield* deleteReplicaOn(machine);
    yield* forgetFabricMachine(machine);
    yield* forgetUnknownInstallationsOn(machine);
  }
}
