// Checks that no other key takes the access of a machine's own commands: they open the service when nothing else does.

import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { isMachineKey } from "../../store/api-key/machine-key.ts";
import type { Tx } from "../../store/engine/statement.ts";

/** Returns a fault if the key with this id is a machine's and the caller's is not, or null. */
export function* requireMachineKey(by: ApiKey, id: string): Tx<Fault | null> {
  if (!(yield* isMachineKey(id)) || (yield* isMachineKey(by.id))) return null;
  const detail =
    "It is the key of a machine's own commands; only such a key can limit or revoke it, as `freehold keys` on the machine does.";
  return new Fault("forbidden", { detail });
}
