// Raises an event of an account, in the commit in which it happens. Without a rule that selects it, it
// costs one query.

import type { AccountEvent } from "../../domain/notification/event.ts";
import { selects } from "../../domain/notification/rule.ts";
import { firstAccount } from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { insertEvent } from "../../store/notification/event.ts";
import { enabledRules } from "../../store/notification/rule.ts";

export function* raiseEvent(accountId: string, event: AccountEvent): Tx<void> {
  for (const rule of yield* enabledRules(accountId)) {
    if (selects(rule, event)) yield* insertEvent(rule.id, event);
  }
}

/** An event of the service, which concerns the operator's account. */
export function* raiseOperatorEvent(event: AccountEvent): Tx<void> {
  const operator = yield* firstAccount();
  if (operator) yield* raiseEvent(operator.id, event);
}
