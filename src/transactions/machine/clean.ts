// The request to remove what an unknown installation left on a machine.

import { Fault } from "../../domain/fault.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { type Removal, setRemoval } from "../../store/unknown-installation/unknown-installation.ts";
import { requireOperator } from "../account/require-operator.ts";

export interface RemovalRequest {
  machine: string;
  installation: string;
  removal: Removal;
}

export function* requestRemoval(
  accountId: string,
  { machine, installation, removal }: RemovalRequest,
): Tx<Fault | null> {
  const refusal = yield* requireOperator(accountId);
  if (refusal) return refusal;
  if (yield* setRemoval(machine, installation, removal)) return null;
  return new Fault("installation_not_found", { id: installation, machine });
}
