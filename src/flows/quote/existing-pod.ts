// Quotes an existing Pod as it would be after a start or a change. Nothing is changed.

import type { Catalog } from "../../domain/catalog/catalog.ts";
import { Fault } from "../../domain/fault.ts";
import type { Labels } from "../../domain/label/labels.ts";
import type { Quote } from "../../domain/money/quote.ts";
import { computeOf, costOn, requestOf } from "../../domain/pod/compute.ts";
import { isPodOf, type Pod } from "../../domain/pod/pod.ts";
import type { PodRequest } from "../../domain/pod/pod-request.ts";
import { paidAhead, pricesOf } from "../../domain/pod/prices.ts";
import type { PodSpec } from "../../domain/pod/spec.ts";
import { specToStart, unofferedToStart } from "../../domain/pod/start.ts";
import { needsNoSync, type Tx } from "../../store/engine/statement.ts";
import { findPod } from "../../store/pod/row.ts";
import { lockPricesShared } from "../../store/price-book/lock.ts";
import { maySpend, requireLabelBudgets } from "../../transactions/money/spend.ts";
import { findVolumeOfPod } from "../../transactions/network-volume/of-pod.ts";
import { askerOf } from "../../transactions/place/reserved.ts";
import { decidePlace } from "../../transactions/place/take.ts";
import { coverOf, familyOf } from "../../transactions/savings-plan/cover.ts";
import type { PodDeps } from "../pod/create.ts";
import { requestedSpec } from "../pod/update.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { refusedBy } from "./refused.ts";

export interface PodChangeRequest {
  accountId: string;
  podId: string;
  request: PodRequest;
  /** The labels that it would have; undefined if they stay. */
  labels: Labels | undefined;
}

export function quoteExistingPod(deps: PodDeps, request: PodChangeRequest): Promise<Quote> {
  return throwRefusal(deps.store.write(quote, deps, request, deps.clock.now()));
}

function* quote(
  deps: PodDeps,
  { accountId, podId, request, labels: newLabels }: PodChangeRequest,
  now: number,
): Tx<Quote | Fault> {
  yield* needsNoSync();
  yield* lockPricesShared(deps.catalog);
  const pod = yield* findPod(podId);
  if (!isPodOf(pod, accountId)) return new Fault("pod_not_found", { id: podId });
  const { desired, placement, pricing } = pod;
  const spec = yield* requestedSpec(deps, pod, request);
  if (spec instanceof Fault) return spec;
  const isRunning = desired.state === "RUNNING";
  const started = isRunning
    ? { cost: pricing.cost, ahead: paidAhead(pricing, placement.gpus.length), passedOver: null }
    : yield* asStarted(deps, { ...pod, desired: { ...desired, spec } }, now);
  if (started instanceof Fault) return started;
  const { cost, ahead, passedOver } = started;
  const { runningRate, stoppedRate } = pricesOf(deps.catalog, spec, cost);
  const running = runningRate - ahead;
  const current = isRunning ? pricing.runningRate - ahead : pricing.stoppedRate;
  const volumeGb = spec.volumeInGb - desired.spec.volumeInGb;
  const grown = {
    volumeGb,
    rate: runningRate - pricing[isRunning ? "runningRate" : "stoppedRate"],
  };
  const adds = isRunning ? grown : { ...grown, ...countsOf(deps.catalog, pod, spec) };
  const labels = newLabels ?? pod.labels;
  const refusal =
    (yield* requireLabelBudgets(pod, labels, now)) ??
    (running > current || volumeGb > 0
      ? yield* maySpend({ ...pod, labels }, { rate: running - current, adds }, now)
      : null);
  return {
    kind: "pod",
    passedOver,
    refused: refusedBy(refusal),
    gpuTypeId: placement.gpuTypeId,
    gpuCount: spec.computeType === "GPU" ? spec.gpuCount : 0,
    cpuFlavorId: placement.cpuFlavorId,
    compute: cost,
    paidAhead: ahead,
    running,
    stopped: stoppedRate,
    workers: null,
    alternatives: [],
  };
}

/** What a start adds to the counts. */
function countsOf(catalog: Catalog, { placement: { gpuTypeId } }: Pod, spec: PodSpec) {
  const gpus = spec.computeType === "GPU" ? spec.gpuCount : 0;
  return { pods: 1, gpus, gpuTypeId, vcpus: computeOf(catalog, spec).vcpus };
}

/** A stopped Pod is started on its machine, at the prices of that moment. */
function* asStarted({ catalog, heartbeatTiming }: PodDeps, pod: Pod, now: number) {
  const { machine, driver, gpuTypeId } = pod.placement;
  const { spec, compute } = specToStart(catalog, pod, {});
  const unoffered = unofferedToStart(catalog, spec, compute);
  if (unoffered !== null) return new Fault("no_longer_offered", { what: unoffered });
  const since = now - heartbeatTiming.goneMs;
  const search = { since, machine, except: pod.id, asker: askerOf(pod), at: now };
  const volume = yield* findVolumeOfPod(spec);
  const request = { ...requestOf(catalog, spec, driver, volume), compute };
  const placement = yield* decidePlace(request, search);
  const gpuCount = spec.computeType === "GPU" ? spec.gpuCount : 0;
  const cost = costOn(catalog, spec, gpuTypeId, gpuCount);
  const coveredGpus = yield* coverOf(familyOf(pod), gpuCount, now);
  return {
    cost,
    ahead: paidAhead({ cost, coveredGpus }, gpuCount),
    passedOver: "placed" in placement ? null : placement.passedOver,
  };
}
