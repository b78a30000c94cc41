// An account buys a savings plan, or the operator gives it one.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { ApiKey } from "../../domain/account.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { Fault } from "../../domain/fault.ts";
import type { SavingsPlan } from "../../domain/money/savings-plan.ts";
import { lockAccount } from "../../store/account/standing.ts";
import { doOnce, type Once } from "../../store/idempotency.ts";
import { missingForAnHour } from "../../store/money/prepaid.ts";
import { findPod } from "../../store/pod/row.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { mustBeOperator } from "../account/operator.ts";
import { makes } from "../audit/act.ts";
import { heldBack } from "../budget/held-back.ts";
import { beginPlan } from "./begin.ts";
import { freePlanOf, planOf, type WantedPlan } from "./price.ts";

interface Deps {
  store: Store;
  clock: Clock;
  ids: Ids;
  catalog: Catalog;
}

/** Like the ids of other plans that clients know. */
export const PLAN_ID_LENGTH = 25;

export interface NewPlan extends Omit<WantedPlan, "id"> {
  by: ApiKey;
  once: Once | null;
}

export async function buyPlan(deps: Deps, { by, once, ...wanted }: NewPlan): Promise<SavingsPlan> {
  return keep(
    deps,
    planOf(deps.catalog, named(deps, wanted), deps.clock.now()),
    once,
    function* (plan) {
      const refusal = yield* heldBack(by);
      if (refusal) return refusal;
      const missing = yield* missingForAnHour(plan.accountId, plan.upfrontCost, plan.startAt);
      return missing > 0 ? new Fault("no_credits", { missing: missing / 1_000_000 }) : null;
    },
  );
}

export async function givePlan(deps: Deps, { by, once, ...wanted }: NewPlan): Promise<SavingsPlan> {
  const plan = freePlanOf(deps.catalog, named(deps, wanted), deps.clock.now());
  return keep(deps, plan, once, () => mustBeOperator(by.accountId));
}

const named = ({ ids }: Deps, wanted: Omit<WantedPlan, "id">): WantedPlan => {
  return { ...wanted, id: ids.short(PLAN_ID_LENGTH) };
};

async function keep(
  { store, clock }: Deps,
  plan: SavingsPlan | Fault,
  once: Once | null,
  cannot: (plan: SavingsPlan) => Verb<Fault | null>,
): Promise<SavingsPlan> {
  if (plan instanceof Fault) throw plan;
  makes(plan.id);
  const result = await store.write(begin, plan, once, cannot, clock.now());
  if (result === "conflict") throw new Fault("idempotency_conflict");
  if (result instanceof Fault) throw result;
  return result;
}

function* begin(
  plan: SavingsPlan,
  once: Once | null,
  cannot: (plan: SavingsPlan) => Verb<Fault | null>,
  now: number,
): Verb<SavingsPlan | Fault | "conflict"> {
  let refusal: Fault | null = null;
  const result = yield* doOnce(once, now, function* () {
    // Two at once are not paid with the same credits.
    const account = yield* lockAccount(plan.accountId);
    refusal = yield* cannot(plan);
    refusal ??= account ? null : new Fault("account_not_found", { id: plan.accountId });
    refusal ??= yield* strangePod(plan);
    if (refusal) return null;
    yield* beginPlan(plan);
    return plan;
  });
  if (result === "conflict") return result;
  return result.answer ?? refusal!;
}

function* strangePod({ accountId, gpuTypeId, podId }: SavingsPlan): Verb<Fault | null> {
  if (podId === null) return null;
  const pod = yield* findPod(podId);
  if (pod?.accountId !== accountId || pod.state === "TERMINATED") {
    const detail = `"podId" must be one of the account's Pods; there is no "${podId.slice(0, 80)}".`;
    return new Fault("invalid_body", { detail });
  }
  if (pod.gpuTypeId === gpuTypeId && !pod.spec.interruptible) return null;
  const detail = `"podId" must be a Pod that is rented on demand with ${gpuTypeId}.`;
  return new Fault("invalid_body", { detail });
}
