// A change of a machine's upkeep or host key, by an operator.

import { Fault } from "../../domain/fault.ts";
import type { Upkeep } from "../../domain/machine/upkeep.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { forgetHostKey, lockRemote } from "../../store/remote-machine/remote-machine.ts";
import { lockUpkeep, setUpkeep } from "../../store/replica/upkeep.ts";
import { requireOperator } from "../account/require-operator.ts";

export function* saveMachineChanges(
  accountId: string,
  machine: string,
  changes: Partial<Upkeep>,
  newHostKey: boolean,
): Tx<Fault | null> {
  const refusal = yield* requireOperator(accountId);
  if (refusal) return refusal;
  const remote = newHostKey && (yield* lockRemote(machine));
  if (remote) yield* forgetHostKey(machine);
  const before = yield* lockUpkeep(machine);
  if (remote && !before && Object.keys(changes).length === 0) return null;
  if (!before) return new Fault("machine_not_found", { id: machine });
  const after = { ...before, ...changes };
  const { maintenanceStart: start, maintenanceEnd: end } = after;
  if (end !== null && (start === null || end <= start)) {
    const detail = '"maintenanceEnd" must be later than "maintenanceStart" and requires it.';
    return new Fault("invalid_body", { detail });
  }
  yield* setUpkeep(machine, after);
  return null;
}
