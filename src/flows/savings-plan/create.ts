// Buying a savings plan, or granting one by the operator.

import type { ApiKey } from "../../domain/account.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import { noLabels } from "../../domain/label/labels.ts";
import type { SavingsPlan } from "../../domain/money/savings-plan.ts";
import { lockAccount } from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { findPod } from "../../store/pod/row.ts";
import { lockPricesShared } from "../../store/price-book/lock.ts";
import { requireOperator } from "../../transactions/account/require-operator.ts";
import { requireUnbudgetedKey } from "../../transactions/budget/require-unbudgeted-key.ts";
import { spend } from "../../transactions/money/spend.ts";
import { startPlan } from "../../transactions/savings-plan/start.ts";
import { createOnceIn } from "../create-once.ts";
import type { FlowDeps } from "../flow-deps.ts";
import { freePlanOf, type PlanRequest, planOf } from "./price.ts";

interface Deps extends FlowDeps {
  catalog: Catalog;
}

/** The id length that clients expect. */
export const PLAN_ID_LENGTH = 25;

export interface NewPlan extends Omit<PlanRequest, "id"> {
  by: ApiKey;
  once: IdempotencyKey | null;
}

export function buyPlan(deps: Deps, { by, once, ...desired }: NewPlan): Promise<SavingsPlan> {
  return keep(deps, desired, once, {
    mayNot: () => requireUnbudgetedKey(by),
    offer: planOf,
    unpaid: ({ accountId, upfrontCost: upfront, startAt }) =>
      spend({ accountId, keyId: by.id, labels: noLabels }, { upfront }, startAt),
  });
}

export function grantPlan(deps: Deps, { by, once, ...desired }: NewPlan): Promise<SavingsPlan> {
  const mayNot = () => requireOperator(by.accountId);
  return keep(deps, desired, once, { mayNot, offer: freePlanOf, unpaid: nothingUnpaid });
}

interface Way {
  mayNot(): Tx<Fault | null>;
  offer(catalog: Catalog, desired: PlanRequest, now: number): SavingsPlan | Fault;
  unpaid(plan: SavingsPlan): Tx<Fault | null>;
}

// biome-ignore lint/correctness/useYield: a granted plan needs no payment
function* nothingUnpaid(): Tx<null> {
  return null;
}

async function keep(
  { store, clock, ids, catalog }: Deps,
  request: Omit<PlanRequest, "id">,
  once: IdempotencyKey | null,
  way: Way,
): Promise<SavingsPlan> {
  const desired = { ...request, id: ids.short(PLAN_ID_LENGTH) };
  const now = clock.now();
  return createOnceIn({ store, once, now }, () => begin(catalog, desired, way, now));
}

function* begin(
  catalog: Catalog,
  desired: PlanRequest,
  { mayNot, offer, unpaid }: Way,
  now: number,
): Tx<SavingsPlan | Fault> {
  const refusal = yield* mayNot();
  if (refusal) return refusal;
  yield* lockPricesShared(catalog);
  const plan = offer(catalog, desired, now);
  if (plan instanceof Fault) return plan;
  if (!(yield* lockAccount(plan.accountId)))
    return new Fault("account_not_found", { id: plan.accountId });
  const cannot = (yield* strangePod(plan)) ?? (yield* unpaid(plan));
  if (cannot) return cannot;
  yield* startPlan(plan);
  return plan;
}

function* strangePod({ accountId, gpuTypeId, podId }: SavingsPlan): Tx<Fault | null> {
  if (podId === null) return null;
  const pod = yield* findPod(podId);
  if (pod?.accountId !== accountId || pod.desired.state === "TERMINATED") {
    const detail = `"podId" must be one of the account's Pods; there is no "${podId.slice(0, 80)}".`;
    return new Fault("invalid_body", { detail });
  }
  if (pod.placement.gpuTypeId === gpuTypeId && !pod.desired.spec.interruptible) return null;
  const detail = `"podId" must be an on-demand Pod with ${gpuTypeId}.`;
  return new Fault("invalid_body", { detail });
}
