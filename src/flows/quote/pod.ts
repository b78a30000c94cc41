// What a Pod would cost, before it is created: settled and placed as it would be, and nothing is taken.

import { Fault } from "../../domain/fault.ts";
import { alternativesOf, type Quote } from "../../domain/money/quote.ts";
import type { Placement } from "../../domain/placement/decide.ts";
import type { PlacementWish } from "../../domain/placement/wish.ts";
import { computeOf, costOn } from "../../domain/pod/compute.ts";
import type { PodSpec } from "../../domain/pod/pod.ts";
import { paidAhead, pricesOf } from "../../domain/pod/prices.ts";
import { decideOn } from "../../store/place/take.ts";
import { holdPrices } from "../../store/price-book/hold.ts";
import { coverOf, familyOf } from "../../store/savings-plan/cover.ts";
import { needsNoSync, type Verb } from "../../store/statement.ts";
import { type Payer, unpaid } from "../billing/unpaid.ts";
import type { PodDeps } from "../pod/create.ts";
import { type AskedPod, settleWishes } from "../pod/settle-wishes.ts";
import { refusedBy } from "./refused.ts";

export async function quotePod(deps: PodDeps, asked: AskedPod & Payer): Promise<Quote> {
  const result = await deps.store.write(quote, deps, asked, deps.clock.now());
  if (result instanceof Fault) throw result;
  return result;
}

function* quote(deps: PodDeps, asked: AskedPod & Payer, now: number): Verb<Quote | Fault> {
  yield* needsNoSync();
  yield* holdPrices(deps.catalog);
  // What no machine here can run has a price all the same; each of them says why it is passed over.
  const driverFor: PodDeps["driverFor"] = (spec) =>
    deps.driverFor(spec) ?? spec.driver ?? "process";
  const settled = yield* settleWishes({ ...deps, driverFor }, asked);
  if (settled instanceof Fault) return settled;
  const { catalog, rhythm } = deps;
  const { spec, wish } = settled;
  const search = { since: now - rhythm.goneMs, machine: null, except: null };
  const found = yield* decideOn(wish, search);
  const onGpu = spec.computeType === "GPU";
  const all = catalog.gpuTypes.map(({ id }) => id);
  const gpuTypeId = onGpu ? typeIn(found, spec.gpuTypeIds[0] ?? all[0]) : null;
  const cost = costOn(catalog, spec, gpuTypeId, spec.gpuCount);
  const { runningRate, stoppedRate: stopped } = pricesOf(catalog, spec, cost);
  const ahead = yield* aheadOf(asked.accountId, spec, { gpuTypeId, cost }, now);
  const running = runningRate - ahead;
  const alternatives: Quote["alternatives"] = [];
  for (const id of onGpu ? alternativesOf(spec.gpuTypeIds, all, gpuTypeId) : []) {
    const place = yield* decideOn(onlyOn(wish, id), search);
    const compute = costOn(catalog, spec, id, spec.gpuCount);
    alternatives.push({ gpuTypeId: id, compute, available: "placed" in place });
  }
  return {
    kind: "pod",
    passedOver: "placed" in found ? null : found.passedOver,
    refused: refusedBy(yield* unpaid(asked, running, now)),
    gpuTypeId,
    gpuCount: onGpu ? spec.gpuCount : 0,
    cpuFlavorId: computeOf(catalog, spec).flavor?.id ?? null,
    compute: cost,
    paidAhead: ahead,
    running,
    stopped,
    workers: null,
    alternatives,
  };
}

function* aheadOf(
  accountId: string,
  spec: PodSpec,
  { gpuTypeId, cost }: { gpuTypeId: string | null; cost: number },
  now: number,
): Verb<number> {
  const gpus = spec.computeType === "GPU" ? Array.from({ length: spec.gpuCount }, (_, n) => n) : [];
  const coveredGpus = yield* coverOf(familyOf({ accountId, gpuTypeId, spec }), gpus.length, now);
  return paidAhead({ cost, gpus, coveredGpus });
}

/** The type that it would get; the first that is asked for where none is free. */
export function typeIn(found: Placement | null, otherwise: string | undefined): string | null {
  if (found && "placed" in found) return found.placed.gpuTypeId;
  return otherwise ?? null;
}

export function onlyOn(wish: PlacementWish, gpuTypeId: string): PlacementWish {
  if (wish.compute.kind !== "GPU") return wish;
  return { ...wish, compute: { ...wish.compute, typeIds: [gpuTypeId] } };
}
