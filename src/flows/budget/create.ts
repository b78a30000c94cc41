// A client sets a budget: for the account, for one endpoint, or for all that is made with one key.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { Budget, BudgetPeriod, BudgetScope } from "../../domain/money/budget.ts";
import { findKey } from "../../store/account/account.ts";
import { insertBudget, listBudgets } from "../../store/budget/budget.ts";
import { findEndpoint } from "../../store/endpoint/endpoint.ts";
import { doOnce, type Once } from "../../store/idempotency.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { makes } from "../audit/act.ts";
import { heldBack } from "./held-back.ts";
import { type BudgetView, viewOf } from "./read.ts";

/** They are all looked at every few seconds. */
const MOST = 100;

export interface NewBudget {
  by: ApiKey;
  name: string;
  endpointId: string | null;
  keyId: string | null;
  period: BudgetPeriod;
  /** Micro-dollars. */
  limit: number;
  once: Once | null;
}

export async function createBudget(
  { store, clock, ids }: { store: Store; clock: Clock; ids: Ids },
  { by, endpointId, keyId, once, ...wanted }: NewBudget,
): Promise<BudgetView> {
  if (endpointId !== null && keyId !== null) {
    const detail = 'A budget is for "endpointId", for "keyId", or for the account: not for two.';
    throw new Fault("invalid_body", { detail });
  }
  const scope: BudgetScope = endpointId !== null ? "endpoint" : keyId !== null ? "key" : "account";
  const budget: Budget = {
    ...wanted,
    id: ids.short(14),
    accountId: by.accountId,
    scope,
    subjectId: endpointId ?? keyId ?? "",
    warnedAt: null,
    warnedUntil: null,
    spentAt: null,
    spentUntil: null,
    createdAt: clock.now(),
  };
  makes(budget.id);
  const result = await store.write(keep, by, budget, once);
  if (result === "conflict") throw new Fault("idempotency_conflict");
  if (result instanceof Fault) throw result;
  return result;
}

function* keep(
  by: ApiKey,
  budget: Budget,
  once: Once | null,
): Verb<BudgetView | Fault | "conflict"> {
  let refusal: Fault | null = null;
  const result = yield* doOnce(once, budget.createdAt, function* () {
    refusal = (yield* heldBack(by)) ?? (yield* cannotKeep(by, budget));
    if (refusal) return null;
    yield* insertBudget(budget);
    return yield* viewOf(budget, budget.createdAt);
  });
  if (result === "conflict") return result;
  return result.answer ?? refusal!;
}

function* cannotKeep(by: ApiKey, { accountId, scope, subjectId }: Budget): Verb<Fault | null> {
  if (scope === "endpoint") {
    const endpoint = yield* findEndpoint(subjectId);
    if (endpoint?.accountId !== accountId) return stranger("endpointId", "endpoints", subjectId);
  }
  if (scope === "key") {
    if (!(yield* findKey(subjectId, accountId))) return stranger("keyId", "API keys", subjectId);
    if (subjectId === by.id) {
      const detail = "A key cannot be held to a budget by itself: set it with another one.";
      return new Fault("forbidden", { detail });
    }
  }
  const { length } = yield* listBudgets(accountId);
  return length < MOST ? null : new Fault("too_many_budgets", { most: MOST });
}

function stranger(field: string, what: string, id: string): Fault {
  const detail = `"${field}" must be one of your ${what}; there is no "${id.slice(0, 80)}".`;
  return new Fault("invalid_body", { detail });
}
