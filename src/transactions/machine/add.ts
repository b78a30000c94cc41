// The addition of a remote machine, by an operator.

import { Fault } from "../../domain/fault.ts";
import type { RemoteMachine } from "../../domain/machine/remote.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { insertRemote } from "../../store/remote-machine/remote-machine.ts";
import { requireOperator } from "../account/require-operator.ts";

export function* addRemoteMachine(accountId: string, machine: RemoteMachine): Tx<Fault | null> {
  const refusal = yield* requireOperator(accountId);
  if (refusal) return refusal;
  if (yield* insertRemote(machine)) return null;
  return new Fault("machine_known", { address: machine.address });
}
