// An account's balance at an instant: the posted amounts, and what its open usages owe beyond them.

import type { BalanceStanding } from "../../domain/money/balance.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { postedOf } from "../../store/ledger/ledger.ts";
import { owedOf } from "../../store/usage/spending.ts";

export function* standingOf(accountId: string, now: number): Tx<BalanceStanding> {
  const posted = yield* postedOf(accountId);
  const open = yield* owedOf(accountId, now);
  return {
    balance: posted.balance - open.owed,
    perHour: open.perHour,
    spent: posted.revenue + open.owed,
  };
}
