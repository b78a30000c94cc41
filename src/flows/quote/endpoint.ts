// Quotes an endpoint's workers before the endpoint is created.

import { newSpec } from "../../domain/endpoint/change.ts";
import { type EndpointRequest, normalized } from "../../domain/endpoint/endpoint-request.ts";
import type { Fault } from "../../domain/fault.ts";
import { alternativesOf, type Quote } from "../../domain/money/quote.ts";
import { flavorOf } from "../../domain/worker/placement-request.ts";
import { workerRateOn } from "../../domain/worker/rate.ts";
import { needsNoSync, type Tx } from "../../store/engine/statement.ts";
import { lockPricesShared } from "../../store/price-book/lock.ts";
import { lockTemplateShared } from "../../store/template/template.ts";
import { maySpend, type Payer } from "../../transactions/money/spend.ts";
import { askerOf } from "../../transactions/place/reserved.ts";
import { decideForWorker } from "../../transactions/place/worker.ts";
import { checkEndpoint, type EndpointRules } from "../endpoint/check.ts";
import type { PodDeps } from "../pod/create.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { templateFault } from "../workload/template-check.ts";
import { typeIn } from "./pod.ts";
import { refusedBy } from "./refused.ts";

export interface UnresolvedEndpoint extends Payer {
  request: EndpointRequest;
  /** Null if none is chosen yet; then the template is not checked. */
  templateId: string | null;
}

export function quoteEndpoint(
  deps: PodDeps & EndpointRules,
  endpoint: UnresolvedEndpoint,
): Promise<Quote> {
  return throwRefusal(deps.store.write(quote, deps, endpoint, deps.clock.now()));
}

function* quote(
  deps: PodDeps & EndpointRules,
  endpoint: UnresolvedEndpoint,
  now: number,
): Tx<Quote | Fault> {
  yield* needsNoSync();
  const { catalog, heartbeatTiming, driverFor } = deps;
  yield* lockPricesShared(catalog);
  const request = normalized(catalog, endpoint.request);
  const spec = newSpec(request);
  const { accountId, templateId } = endpoint;
  const template =
    deps.officialTemplates.copyFor(accountId, templateId) ??
    (templateId === null ? undefined : yield* lockTemplateShared(templateId));
  const refusal =
    checkEndpoint(deps, request, spec) ??
    (templateId === null ? null : templateFault(deps, { accountId, templateId, spec }, template));
  if (refusal) return refusal;
  // Workers that no machine can run are quoted too; the quote says why each machine is passed over.
  const requested = template?.spec.driver ?? null;
  const driver = driverFor({ driver: requested }) ?? requested ?? "docker";
  const shared = driver === "process";
  const since = now - heartbeatTiming.goneMs;
  const search = { since, machine: null, except: null, asker: askerOf(endpoint), at: now };
  const place = (gpuTypeIds: string[]) =>
    decideForWorker(catalog, { ...spec, gpuTypeIds }, driver, search);
  const placement = yield* place(spec.gpuTypeIds);
  const onGpu = spec.computeType === "GPU" && !shared;
  const all = catalog.gpuTypes.map(({ id }) => id);
  // Without a requested GPU type, and without GPUs on any machine, workers run without one.
  const gpuTypeId = onGpu ? typeIn(placement, spec.gpuTypeIds[0]) : null;
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
    passedOver: placement === null || "placed" in placement ? null : placement.passedOver,
    refused: refusedBy(yield* maySpend(endpoint, {}, now)),
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
