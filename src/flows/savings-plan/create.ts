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
import { holdPrices } from "../../store/price-book/hold.ts";
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

export function buyPlan(deps: Deps, { by, once, ...wanted }: NewPlan): Promise<SavingsPlan> {
  return keep(deps, wanted, once, {
    mayNot: () => heldBack(by),
    offer: planOf,
    *unpaid({ accountId, upfrontCost, startAt }) {
      const missing = yield* missingForAnHour(accountId, upfrontCost, startAt);
      return missing > 0 ? new Fault("no_credits", { missing: missing / 1_000_000 }) : null;
    },
  });
}

export function givePlan(deps: Deps, { by, once, ...wanted }: NewPlan): Promise<SavingsPlan> {
  const mayNot = () => mustBeOperator(by.accountId);
  return keep(deps, wanted, once, { mayNot, offer: freePlanOf, unpaid: nothingUnpaid });
}

interface Way {
  mayNot(): Verb<Fault | null>;
  offer(catalog: Catalog, wanted: WantedPlan, now: number): SavingsPlan | Fault;
  unpaid(plan: SavingsPlan): Verb<Fault | null>;
}

// biome-ignore lint/correctness/useYield: a gift asks the store for nothing
function* nothingUnpaid(): Verb<null> {
  return null;
}

async function keep(
  { store, clock, ids, catalog }: Deps,
  asked: Omit<WantedPlan, "id">,
  once: Once | null,
  way: Way,
): Promise<SavingsPlan> {
  const wanted = { ...asked, id: ids.short(PLAN_ID_LENGTH) };
  makes(wanted.id);
  const result = await store.write(keepOnce, catalog, wanted, once, way, clock.now());
  if (result === "conflict") throw new Fault("idempotency_conflict");
  if (result instanceof Fault) throw result;
  return result;
}

function* keepOnce(
  catalog: Catalog,
  wanted: WantedPlan,
  once: Once | null,
  way: Way,
  now: number,
): Verb<SavingsPlan | Fault | "conflict"> {
  let refusal: Fault | null = null;
  const result = yield* doOnce(once, now, function* () {
    const made = yield* begin(catalog, wanted, way, now);
    if (!(made instanceof Fault)) return made;
    refusal = made;
    return null;
  });
  if (result === "conflict") return result;
  return result.answer ?? refusal!;
}

function* begin(
  catalog: Catalog,
  wanted: WantedPlan,
  { mayNot, offer, unpaid }: Way,
  now: number,
): Verb<SavingsPlan | Fault> {
  const refusal = yield* mayNot();
  if (refusal) return refusal;
  yield* holdPrices(catalog);
  const plan = offer(catalog, wanted, now);
  if (plan instanceof Fault) return plan;
  // Two at once are not paid with the same credits.
  const account = yield* lockAccount(plan.accountId);
  if (!account) return new Fault("account_not_found", { id: plan.accountId });
  const cannot = (yield* strangePod(plan)) ?? (yield* unpaid(plan));
  if (cannot) return cannot;
  yield* beginPlan(plan);
  return plan;
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
