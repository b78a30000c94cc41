// Checks that a key has no budget, so that no request evades one.

import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { hasKeyBudget } from "../../store/budget/budget.ts";
import type { Tx } from "../../store/engine/statement.ts";

export function* requireUnbudgetedKey(by: ApiKey): Tx<Fault | null> {
  return (yield* hasKeyBudget(by.id)) ? budgetedKeyFault() : null;
}

export function budgetedKeyFault(): Fault {
  const detail =
    "A key that is held to a budget cannot change budgets or roles, create keys, invitations or accounts, or buy savings plans.";
  return new Fault("forbidden", { detail });
}
