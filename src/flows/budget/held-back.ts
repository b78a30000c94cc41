// Whoever works with a key that is held to a budget does not get round it.

import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { isHeld } from "../../store/budget/budget.ts";
import type { Verb } from "../../store/statement.ts";

export function* heldBack(by: ApiKey): Verb<Fault | null> {
  return (yield* isHeld(by.id)) ? heldFault() : null;
}

export function heldFault(): Fault {
  const detail =
    "A key that is held to a budget changes no budgets, makes no keys and buys no savings plans.";
  return new Fault("forbidden", { detail });
}
