// Inserting, changing and deleting budgets. A key that a budget limits changes none.

import type { ApiKey } from "../../domain/account.ts";
import { Fault } from "../../domain/fault.ts";
import type { Budget } from "../../domain/money/budget.ts";
import { findKey } from "../../store/api-key/api-key.ts";
import { changeBudget, deleteBudget, insertBudget, lockBudget } from "../../store/budget/budget.ts";
import { findEndpoint } from "../../store/endpoint/endpoint.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { requireMachineKey } from "../account/require-machine-key.ts";
import { requireRoom } from "../account/require-room.ts";
import { observeBudget } from "./observe.ts";
import { requireUnbudgetedKey } from "./require-unbudgeted-key.ts";

export function* addBudget(by: ApiKey, budget: Budget): Tx<Fault | null> {
  const refusal = (yield* requireUnbudgetedKey(by)) ?? (yield* cannotKeep(by, budget));
  if (refusal) return refusal;
  yield* insertBudget(budget);
  return null;
}

/** A new limit applies immediately. */
export function* saveBudget(
  by: ApiKey,
  id: string,
  changes: Partial<Pick<Budget, "name" | "labels" | "limit">>,
  now: number,
): Tx<Budget | Fault> {
  const before = yield* lockBudget(id);
  if (before?.accountId !== by.accountId) return new Fault("budget_not_found", { id });
  const limitsKey = before.scope === "key" && changes.limit !== undefined;
  const refusal =
    (yield* requireUnbudgetedKey(by)) ??
    (limitsKey ? yield* requireMachineKey(by, before.subjectId) : null);
  if (refusal) return refusal;
  yield* changeBudget({ ...before, ...changes });
  const observation = yield* observeBudget(id, now);
  return observation!.budget;
}

export function* removeBudget(by: ApiKey, id: string): Tx<Fault | null> {
  const before = yield* lockBudget(id);
  if (before?.accountId !== by.accountId) return new Fault("budget_not_found", { id });
  const refusal = yield* requireUnbudgetedKey(by);
  if (refusal) return refusal;
  yield* deleteBudget(before);
  return null;
}

function* cannotKeep(by: ApiKey, { accountId, scope, subjectId }: Budget): Tx<Fault | null> {
  if (scope === "endpoint") {
    const endpoint = yield* findEndpoint(subjectId);
    if (endpoint?.accountId !== accountId) return unknownName("endpointId", "endpoints", subjectId);
  }
  if (scope === "key") {
    if (!(yield* findKey(subjectId, accountId))) return unknownName("keyId", "API keys", subjectId);
    const machines = yield* requireMachineKey(by, subjectId);
    if (machines) return machines;
    if (subjectId === by.id) {
      const detail = "A key cannot set a budget for itself; use another key.";
      return new Fault("forbidden", { detail });
    }
  }
  return yield* requireRoom("budget", accountId);
}

function unknownName(field: string, what: string, id: string): Fault {
  const detail = `"${field}" must be one of your ${what}; there is no "${id.slice(0, 80)}".`;
  return new Fault("invalid_body", { detail });
}
