// Machines, other accounts and their credits belong to whoever runs the service: the first account.

import { Fault } from "../../domain/fault.ts";
import { firstAccount } from "../../store/account/account.ts";
import type { Verb } from "../../store/statement.ts";

/** The fault that says that an account is another's, or null. */
export function* mustBeOperator(accountId: string): Verb<Fault | null> {
  if ((yield* firstAccount())?.id === accountId) return null;
  const detail = "Only the operator's account, the first one, may do this.";
  return new Fault("forbidden", { detail });
}
