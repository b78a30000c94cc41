// How an account stands: what it has, what it spends now, and how long that will do.

import type { Clock } from "../../base/clock.ts";
import { emptyAt, type Standing } from "../../domain/money/balance.ts";
import type { Protocol } from "../../domain/protocol.ts";
import { standingOf } from "../../store/money/books.ts";
import { prepaid } from "../../store/money/prepaid.ts";
import { type SpendingNow, spendingNow } from "../../store/money/spending-now.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";

export interface AccountStanding extends Standing {
  /** Whether it may only use what it has. */
  limited: boolean;
  /** When it has nothing left at what it spends now; null where that does not come. */
  emptyAt: number | null;
  /** Since when that is so near that it was warned of. */
  lowSince: number | null;
  /** When what was stopped for want of credits is removed. */
  terminateAt: number | null;
}

export interface StandingDeps {
  store: Store;
  clock: Clock;
  protocol: Pick<Protocol, "emptyGraceMs">;
}

/** Charged to this moment, also where the ledger is a little behind. */
export function standing(deps: StandingDeps, accountId: string): Promise<AccountStanding> {
  return deps.store.read(lookAtAccount, accountId, deps.protocol.emptyGraceMs, deps.clock.now());
}

export function spentOnWhat({ store }: StandingDeps, accountId: string): Promise<SpendingNow> {
  return store.read(spendingNow, accountId);
}

export function* lookAtAccount(
  accountId: string,
  graceMs: number,
  now: number,
): Verb<AccountStanding> {
  const has = yield* standingOf(accountId, now);
  const limit = yield* prepaid(accountId);
  return {
    ...has,
    limited: limit !== null,
    emptyAt: limit && (limit.emptySince ?? emptyAt(has, now)),
    lowSince: limit?.lowSince ?? null,
    terminateAt: limit?.emptySince != null ? limit.emptySince + graceMs : null,
  };
}
