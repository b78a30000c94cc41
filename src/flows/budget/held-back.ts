// Whoever works with a key that is held to a budget does not get round it.

import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import { isHeld } from "../../store/budget/budget.ts";
import type { Verb } from "../../store/statement.ts";

export function* heldBack(by: ApiKey): Verb<Fault | null> {
  if (!(yield* isHeld(by.id))) return null;
  const detail = "A key that is held to a budget changes no budgets and makes no keys.";
  return new Fault("forbidden", { detail });
}
