// Machines of the configuration, which no operator adds or changes.

import type { RemoteMachine } from "../../domain/machine/remote.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { changeRemote, insertRemote } from "../../store/remote-machine/remote-machine.ts";

/** A machine that another replica has added meanwhile stays as it is. */
export function* addConfiguredMachine(machine: RemoteMachine): Tx<void> {
  yield* insertRemote(machine);
}

export function* changeConfiguredMachine(
  machine: Pick<RemoteMachine, "id" | "name" | "secrets" | "offer">,
): Tx<void> {
  yield* changeRemote(machine);
}
