// Checks that an account is the operator's, the first one. Machines, other accounts and credits are
// the operator's.

import { Fault } from "../../domain/fault.ts";
import { firstAccount } from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";

/** Returns a fault for any other account, or null. */
export function* requireOperator(accountId: string): Tx<Fault | null> {
  if ((yield* firstAccount())?.id === accountId) return null;
  const detail = "Only the operator's account, the first one, may do this.";
  return new Fault("forbidden", { detail });
}
