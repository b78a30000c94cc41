// Removes a remote machine.

import type { Tx } from "../../store/engine/statement.ts";
import { deleteRemote } from "../../store/remote-machine/remote-machine.ts";
import { deleteReplicaOn } from "../../store/replica/replica.ts";
import { forgetUnknownInstallationsOn } from "../../store/unknown-installation/unknown-installation.ts";

/** The machine must be locked, and nothing may be left on it. */
export function* removeRemote(id: string): Tx<void> {
  yield* deleteRemote(id);
  yield* deleteReplicaOn(id);
  yield* forgetUnknownInstallationsOn(id);
}
