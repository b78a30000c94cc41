// Records why nothing can be placed on a remote.

import type { Tx } from "../../store/engine/statement.ts";
import { setTrouble } from "../../store/remote-machine/remote-machine.ts";

export function* recordTrouble(remoteId: string, trouble: string): Tx<void> {
  yield* setTrouble(remoteId, trouble);
}
