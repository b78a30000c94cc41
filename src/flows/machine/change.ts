// The operator drains a machine, says when it is worked on, or takes the host key it has now.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import type { Upkeep } from "../../domain/machine/upkeep.ts";
import { forgetHostKey, lockRemote } from "../../store/replica/remote-machine.ts";
import { keepUpkeep, lockUpkeep } from "../../store/replica/upkeep.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { mustBeOperator } from "../account/operator.ts";

export async function changeMachine(
  { store }: { store: Store; clock: Clock },
  accountId: string,
  machine: string,
  changes: Partial<Upkeep>,
  newHostKey: boolean,
): Promise<void> {
  const fault = await store.write(change, accountId, machine, changes, newHostKey);
  if (fault) throw fault;
}

function* change(
  accountId: string,
  machine: string,
  changes: Partial<Upkeep>,
  newHostKey: boolean,
): Verb<Fault | null> {
  const refusal = yield* mustBeOperator(accountId);
  if (refusal) return refusal;
  const remote = newHostKey && (yield* lockRemote(machine));
  if (remote) yield* forgetHostKey(machine);
  const before = yield* lockUpkeep(machine);
  if (remote && !before && Object.keys(changes).length === 0) return null;
  if (!before) return new Fault("machine_not_found", { id: machine });
  const after = { ...before, ...changes };
  const { maintenanceStart: start, maintenanceEnd: end } = after;
  if (end !== null && (start === null || end <= start)) {
    const detail = '"maintenanceEnd" must be later than "maintenanceStart", and not without it.';
    return new Fault("invalid_body", { detail });
  }
  yield* keepUpkeep(machine, after);
  return null;
}
