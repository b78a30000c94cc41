// The only way to spend: no quota is exceeded, no budget that applies is spent, and the credits last for an
// hour of everything that would then run. Whatever makes an account pay more asks here, in the commit that
// makes it pay.

import { Fault } from "../../domain/fault.ts";
import { isSameLabels, type Labels } from "../../domain/label/labels.ts";
import {
  type Budget,
  budgetState,
  isOnLabelOf,
  periodOf,
  refusalText,
} from "../../domain/money/budget.ts";
import type { Addition } from "../../domain/quota/quota.ts";
import { holdAccount } from "../../store/account/account.ts";
import { prepaid } from "../../store/account/prepaid.ts";
import { budgetsOn, hasKeyBudget } from "../../store/budget/budget.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { unmeteredRate } from "../../store/usage/desired.ts";
import { spendingOf } from "../../store/usage/spending.ts";
import { budgetedKeyFault } from "../budget/require-unbudgeted-key.ts";
import { type QuotaSubject, requireQuota } from "../quota/require-quota.ts";
import { standingOf } from "./standing.ts";

/** An account, and what else a budget may be on. */
export interface Payer extends QuotaSubject {
  /** The API key that creates the resource; empty for none. */
  keyId: string;
  /** The endpoint of a worker. */
  endpointId?: string;
  /** The labels of the resource; a worker has its endpoint's. */
  labels: Labels;
}

/** Micro-dollars. An endpoint that is created costs nothing yet; its workers spend. */
export interface Outlay {
  /** Per hour, from now on. */
  rate?: number;
  /** At once, for a savings plan; budgets do not count it, so a key with a budget may not pay it. */
  upfront?: number;
  /** What quotas count. */
  adds?: Addition;
}

/**
 * Returns a fault with what is missing, or null. Other spending of the account waits until the
 * transaction commits, so that each sees what the others have started.
 */
export function* spend(payer: Payer, outlay: Outlay, now: number): Tx<Fault | null> {
  yield* holdAccount(payer.accountId);
  return yield* maySpend(payer, outlay, now);
}

/** What `spend` would answer now, for a quote. */
export function* maySpend(payer: Payer, outlay: Outlay, now: number): Tx<Fault | null> {
  const { rate, upfront, adds } = outlay;
  const excess = adds ? yield* requireQuota(payer, adds) : null;
  if (excess) return excess;
  if (upfront !== undefined && (yield* hasKeyBudget(payer.keyId))) return budgetedKeyFault();
  const isRecurring = rate !== undefined || upfront === undefined;
  const refusal = isRecurring ? yield* requireBudget(payer, now) : null;
  if (refusal || (rate === undefined && upfront === undefined)) return refusal;
  const missing = yield* missingForAnHour(payer.accountId, (rate ?? 0) + (upfront ?? 0), now);
  return missing > 0 ? new Fault("no_credits", { missing: missing / 1_000_000 }) : null;
}

/**
 * What a resource costs counts against the budgets of other labels from now on: none of those that are new to it may be spent.
 */
export function* requireLabelBudgets(
  { accountId, labels }: Pick<Payer, "accountId" | "labels">,
  newLabels: Labels,
  now: number,
): Tx<Fault | null> {
  if (isSameLabels(labels, newLabels)) return null;
  const budgets = yield* budgetsOn({ accountId, keyId: "", endpointId: null, labels: newLabels });
  const isNew = (budget: Budget) => isOnLabelOf(budget, newLabels) && !isOnLabelOf(budget, labels);
  return yield* requireUnspent(budgets.filter(isNew), now);
}

function* requireBudget(
  { accountId, keyId, endpointId, labels }: Payer,
  now: number,
): Tx<Fault | null> {
  const spender = { accountId, keyId, endpointId: endpointId ?? null, labels };
  return yield* requireUnspent(yield* budgetsOn(spender), now);
}

/** Computed for this moment, even if no observation has recorded yet that a budget is spent. */
function* requireUnspent(budgets: readonly Budget[], now: number): Tx<Fault | null> {
  for (const budget of budgets) {
    const { spent } = yield* spendingOf(budget, now);
    if (budgetState(budget.limit, spent) !== "spent") continue;
    const until = new Date(periodOf(budget, now).end).toISOString();
    return new Fault("budget_spent", { what: refusalText(budget, spent), until });
  }
  return null;
}

/** How much is missing for an hour; 0 for an account that is not prepaid. */
function* missingForAnHour(accountId: string, outlay: number, now: number): Tx<number> {
  if (!(yield* prepaid(accountId))) return 0;
  const { balance, perHour } = yield* standingOf(accountId, now);
  const starting = yield* unmeteredRate(accountId, now);
  return Math.max(0, perHour + starting + outlay - balance);
}
