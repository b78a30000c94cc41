// The events for budgets and balances. Pure.

import { type Budget, type BudgetScope, budgetText } from "../money/budget.ts";
import { type AccountEvent, accountEvent } from "./event.ts";

const isoOf = (at: number | null) => (at === null ? null : new Date(at).toISOString());

export function budgetReached(
  type: "budget_warning" | "budget_spent",
  budget: Budget,
  at: number,
): AccountEvent {
  const { id, name, scope, subjectId, period, limit } = budget;
  const periodEnd = isoOf(type === "budget_spent" ? budget.spentUntil : budget.warnedUntil);
  const text = budgetText(budget);
  const summary =
    type === "budget_spent"
      ? `The ${text} is spent; what it covers is stopped until ${periodEnd}.`
      : `80% of the ${text} are spent.`;
  const subject = subjectOf(scope, subjectId);
  const details = { scope, ...subject, period, limit: limit / 1_000_000, periodEnd };
  return accountEvent({ type, at, summary, resource: { type: "budget", id, name }, details });
}

function subjectOf(scope: BudgetScope, subjectId: string): Record<string, string> {
  if (scope === "account") return {};
  return { [scope === "label" ? "label" : `${scope}Id`]: subjectId };
}

interface BalanceFact {
  accountId: string;
  at: number;
  resolved?: boolean;
}

export function balanceLow(
  { accountId, at, resolved = false }: BalanceFact,
  endsAt: number | null,
): AccountEvent {
  const lastsUntil = isoOf(endsAt);
  return accountEvent({
    type: "balance_low",
    at,
    resolved,
    summary: resolved
      ? "The account's credits are no longer low."
      : `The account's credits last until ${lastsUntil} at the current spending.`,
    resource: { type: "account", id: accountId, name: "" },
    details: { lastsUntil },
  });
}

export function balanceEmpty({ accountId, at, resolved = false }: BalanceFact): AccountEvent {
  return accountEvent({
    type: "balance_empty",
    at,
    resolved,
    summary: resolved
      ? "The account has credits again."
      : "The account has no credits left; its Pods and workers are stopped.",
    resource: { type: "account", id: accountId, name: "" },
    details: {},
  });
}
