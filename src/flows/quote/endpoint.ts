// What an endpoint's workers would cost, before it is created.

import { newSpec } from "../../domain/endpoint/change.ts";
import { type EndpointWishes, normalized } from "../../domain/endpoint/wishes.ts";
import { Fault } from "../../domain/fault.ts";
import { alternativesOf, type Quote } from "../../domain/money/quote.ts";
import { workerRateOn } from "../../domain/worker/rate.ts";
import { flavorOf } from "../../domain/worker/wish.ts";
import { decideForWorker } from "../../store/place/worker.ts";
import { holdPrices } from "../../store/price-book/hold.ts";
import { needsNoSync, type Verb } from "../../store/statement.ts";
import { holdTemplate } from "../../store/template/template.ts";
import { overBudget, type Payer } from "../billing/unpaid.ts";
import { cannotUse } from "../endpoint/cannot-use.ts";
import { checkEndpoint } from "../endpoint/check.ts";
import type { PodDeps } from "../pod/create.ts";
import { typeIn } from "./pod.ts";
import { refusedBy } from "./refused.ts";

export interface AskedEndpoint extends Payer {
  wishes: EndpointWishes;
  /** Null where there is none yet: then nothing is said of what it runs. */
  templateId: string | null;
}

export async function quoteEndpoint(deps: PodDeps, asked: AskedEndpoint): Promise<Quote> {
  const result = await deps.store.write(quote, deps, asked, deps.clock.now());
  if (result instanceof Fault) throw result;
  return result;
}

function* quote(deps: PodDeps, asked: AskedEndpoint, now: number): Verb<Quote | Fault> {
  yield* needsNoSync();
  const { catalog, rhythm, driverFor } = deps;
  yield* holdPrices(catalog);
  const wishes = normalized(catalog, asked.wishes);
  const spec = newSpec(wishes);
  const { accountId, templateId } = asked;
  const template = templateId === null ? undefined : yield* holdTemplate(templateId);
  const refusal =
    checkEndpoint(deps, wishes, spec) ??
    (templateId === null ? null : cannotUse(deps, { accountId, templateId, spec }, template));
  if (refusal) return refusal;
  // What no machine here can run has a price all the same; each of them says why it is passed over.
  const wanted = template?.spec.driver ?? null;
  const driver = driverFor({ driver: wanted }) ?? wanted ?? "docker";
  const shared = driver === "process";
  const place = (gpuTypeIds: string[]) =>
    decideForWorker(catalog, { ...spec, gpuTypeIds }, driver, now - rhythm.goneMs);
  const found = yield* place(spec.gpuTypeIds);
  const onGpu = spec.computeType === "GPU" && !shared;
  const all = catalog.gpuTypes.map(({ id }) => id);
  // Who names no type of GPU does without one where no machine has any.
  const gpuTypeId = onGpu ? typeIn(found, spec.gpuTypeIds[0]) : null;
  const rateOn = (id: string | null) =>
    shared ? 0 : workerRateOn(catalog, spec, id, spec.gpuCount);
  const alternatives: Quote["alternatives"] = [];
  for (const id of onGpu && gpuTypeId ? alternativesOf(spec.gpuTypeIds, all, gpuTypeId) : []) {
    const other = yield* place([id]);
    const available = other !== null && "placed" in other;
    alternatives.push({ gpuTypeId: id, compute: rateOn(id), available });
  }
  const compute = rateOn(gpuTypeId);
  return {
    kind: "endpoint",
    passedOver: found === null || "placed" in found ? null : found.passedOver,
    refused: refusedBy(yield* overBudget(asked, now)),
    gpuTypeId,
    gpuCount: gpuTypeId === null ? 0 : spec.gpuCount,
    cpuFlavorId: spec.computeType === "CPU" ? (flavorOf(catalog, spec)?.id ?? null) : null,
    compute,
    paidAhead: 0,
    running: compute,
    stopped: 0,
    workers: { min: spec.workersMin, max: spec.workersMax },
    alternatives,
  };
}
