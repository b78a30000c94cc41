// A client rents a Pod: a place is found and taken, and it is wanted to run, in one commit. Nobody
// waits here for a container.

import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { Catalog } from "../../domain/catalog/catalog.ts";
import { Fault } from "../../domain/fault.ts";
import type { Placed } from "../../domain/placement/decide.ts";
import { computeOf, costOf } from "../../domain/pod/compute.ts";
import type { Pod, PodSpec } from "../../domain/pod/pod.ts";
import { paidAhead, pricesOf } from "../../domain/pod/prices.ts";
import type { Services } from "../../domain/pod/services.ts";
import type { PodWishes } from "../../domain/pod/wishes.ts";
import type { Rhythm } from "../../domain/replica/rhythm.ts";
import { doOnce, type Once } from "../../store/idempotency.ts";
import { takePlace } from "../../store/place/take.ts";
import { findPod } from "../../store/pod/row.ts";
import { insertPod } from "../../store/pod/wanted.ts";
import { holdPrices } from "../../store/price-book/hold.ts";
import { coverOf, familyOf } from "../../store/savings-plan/cover.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { unpaid } from "../billing/unpaid.ts";
import { settleWith } from "../network-volume/of-pod.ts";
import { beginPlan } from "../savings-plan/begin.ts";
import { type AskedPlan, mayNotBuy, planFor } from "../savings-plan/for-pod.ts";
import type { PodRules } from "./rules.ts";
import { settleWishes } from "./settle-wishes.ts";

export interface PodDeps extends PodRules {
  store: Store;
  clock: Clock;
  ids: Ids;
  catalog: Catalog;
  rhythm: Rhythm;
}

export interface NewPod {
  accountId: string;
  /** Of the API key that asks for it. */
  keyId: string;
  name: string;
  locked: boolean;
  wishes: PodWishes;
  stopAfter: number | null;
  terminateAfter: number | null;
  /** The most it may cost, in micro-dollars per hour. */
  mostPerHr?: number | null;
  services?: Services;
  /** A plan that is bought for it. */
  savingsPlan?: AskedPlan;
  once: Once | null;
}

export async function createPod(deps: PodDeps, wanted: NewPod): Promise<Pod> {
  const id = deps.ids.short(14);
  const result = await deps.store.write(keepPod, deps, wanted, id, deps.clock.now());
  if (result === "conflict") throw new Fault("idempotency_conflict");
  if (result instanceof Fault) throw result;
  return result;
}

function* keepPod(
  deps: PodDeps,
  wanted: NewPod,
  id: string,
  now: number,
): Verb<Pod | Fault | "conflict"> {
  let refusal: Fault | null = null;
  const result = yield* doOnce(wanted.once, now, function* () {
    const made = yield* makePod(deps, wanted, id, now);
    if (!(made instanceof Fault)) return made;
    refusal = made;
    return null;
  });
  if (result === "conflict") return result;
  return result.answer ?? refusal!;
}

function* makePod(deps: PodDeps, wanted: NewPod, id: string, now: number): Verb<Pod | Fault> {
  const { catalog, rhythm } = deps;
  yield* holdPrices(catalog);
  const asked = yield* settleWishes(deps, wanted);
  if (asked instanceof Fault) return asked;
  const { spec, driver, volume } = asked;
  const search = { since: now - rhythm.goneMs, machine: null, except: null };
  const found = yield* takePlace(asked.wish, search, now);
  if (!("placed" in found)) return new Fault("no_capacity", {}, { passedOver: found.passedOver });
  const pod = newPod(catalog, { ...wanted, id, spec, driver }, found.placed, now);
  const plan = wanted.savingsPlan && planFor(deps, pod, wanted.savingsPlan);
  if (plan instanceof Fault) return plan;
  const coveredGpus = plan ? plan.gpuCount : yield* coverOf(familyOf(pod), pod.gpus.length, now);
  const rate = pod.runningRate - paidAhead({ ...pod, coveredGpus });
  const refusal =
    exceeds(pod.cost, wanted.mostPerHr ?? null) ??
    (plan ? yield* mayNotBuy(pod) : null) ??
    (yield* unpaid(pod, rate + (plan?.upfrontCost ?? 0), now));
  if (refusal) return refusal;
  yield* settleWith(volume, found.placed);
  yield* insertPod(pod);
  if (plan) yield* beginPlan(plan);
  return (yield* findPod(id))!;
}

function exceeds(cost: number, most: number | null): Fault | null {
  if (most === null || cost <= most) return null;
  return new Fault("too_dear", { cost: cost / 1_000_000, most: most / 1_000_000 });
}

function newPod(
  catalog: Catalog,
  wanted: NewPod & { id: string; spec: PodSpec; driver: string },
  placed: Placed,
  now: number,
): Pod {
  const { id, accountId, keyId, name, spec, driver, locked, stopAfter, terminateAfter } = wanted;
  const { vcpus, memoryMb, flavor } = computeOf(catalog, spec);
  const whose = { id, accountId, keyId, name };
  const asked = { ...whose, spec, driver, locked, stopAfter, terminateAfter };
  const given = {
    machine: placed.machine,
    gpuTypeId: placed.gpuTypeId,
    gpus: placed.gpuIndices,
    virtual: placed.virtual,
    cpuFlavorId: flavor?.id ?? null,
    vcpus,
    memoryMb,
    ...pricesOf(catalog, spec, costOf(catalog, spec, placed)),
  };
  const nothingYet = { startedAt: null, endedAt: null, exitCode: null, signal: null, oom: false };
  const noTrouble = {
    ends: [],
    failedStarts: 0,
    failingSince: null,
    trouble: null,
    troubleCause: null,
  };
  return {
    ...asked,
    ...given,
    ...nothingYet,
    ...noTrouble,
    state: "RUNNING",
    cause: "created",
    reason: null,
    changedAt: now,
    round: 1,
    startedRound: 0,
    startedGpus: [],
    observed: "none",
    startAt: 0,
    coveredGpus: 0,
    createdAt: now,
    publicIp: null,
    portMappings: {},
  };
}
