// Creating a budget for the account, an endpoint, everything created with a key, or everything with a label.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import type { Labels } from "../../domain/label/labels.ts";
import type { Budget, BudgetPeriod, BudgetScope } from "../../domain/money/budget.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { addBudget } from "../../transactions/budget/write.ts";
import { createOnce } from "../../transactions/idempotency/create-once.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { type BudgetView, viewOf } from "./read.ts";

export interface NewBudget {
  by: ApiKey;
  name: string;
  labels: Labels;
  endpointId: string | null;
  keyId: string | null;
  /** A label such as "team=vision". */
  label: string | null;
  period: BudgetPeriod;
  /** Micro-dollars. */
  limit: number;
  once: IdempotencyKey | null;
}

export async function createBudget(
  { store, clock, ids }: { store: Store; clock: Clock; ids: Ids },
  { by, endpointId, keyId, label, once, ...desired }: NewBudget,
): Promise<BudgetView> {
  const subjects = Object.entries({ endpoint: endpointId, key: keyId, label });
  const [subject, other] = subjects.filter(([, id]) => id !== null) as [BudgetScope, string][];
  if (other) {
    const detail = 'A budget can have one of "endpointId", "keyId" and "label", not several.';
    throw new Fault("invalid_body", { detail });
  }
  const [scope, subjectId] = subject ?? (["account", ""] as const);
  const budget: Budget = {
    ...desired,
    id: ids.short(14),
    accountId: by.accountId,
    scope,
    subjectId,
    warnedAt: null,
    warnedUntil: null,
    spentAt: null,
    spentUntil: null,
    createdAt: clock.now(),
  };
  return throwRefusal(store.write(keep, by, budget, once));
}

function* keep(by: ApiKey, budget: Budget, once: IdempotencyKey | null): Tx<BudgetView | Fault> {
  return yield* createOnce(once, budget.createdAt, function* () {
    const refusal = yield* addBudget(by, budget);
    if (refusal) return refusal;
    return yield* viewOf(budget, budget.createdAt);
  });
}
