// An account's balance: its credits, its current cost, and when the credits run out.

import type { Clock } from "../../base/clock.ts";
import { type BalanceStanding, emptyAt } from "../../domain/money/balance.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { prepaid } from "../../store/account/prepaid.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { type SpendingNow, spendingNow } from "../../store/usage/spending-now.ts";
import { standingOf } from "../../transactions/money/standing.ts";

export interface AccountStanding extends BalanceStanding {
  /** Whether usage is limited to the account's credits. */
  limited: boolean;
  /** When the balance reaches zero at the current cost; null if it does not. */
  emptyAt: number | null;
  /** Since when `emptyAt` has been near enough for a warning. */
  lowSince: number | null;
  /** When resources stopped for lack of credits are deleted. */
  terminateAt: number | null;
}

export interface StandingDeps {
  store: Store;
  clock: Clock;
  protocol: Pick<Protocol, "emptyGraceMs">;
}

/** The balance at this moment, including usage that the ledger has not charged yet. */
export function standing(deps: StandingDeps, accountId: string): Promise<AccountStanding> {
  return deps.store.read(readStanding, accountId, deps.protocol.emptyGraceMs, deps.clock.now());
}

export function spendingByResource(
  { store }: StandingDeps,
  accountId: string,
): Promise<SpendingNow> {
  return store.read(spendingNow, accountId);
}

export function* readStanding(
  accountId: string,
  graceMs: number,
  now: number,
): Tx<AccountStanding> {
  const current = yield* standingOf(accountId, now);
  const limit = yield* prepaid(accountId);
  return {
    ...current,
    limited: limit !== null,
    emptyAt: limit && (limit.emptySince ?? emptyAt(current, now)),
    lowSince: limit?.lowSince ?? null,
    terminateAt: limit?.emptySince != null ? limit.emptySince + graceMs : null,
  };
}
