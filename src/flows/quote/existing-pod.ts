// What a Pod that is there would cost once it is started, or changed in a way that takes a new container:
// reckoned as that would be, and nothing is done.

import { Fault } from "../../domain/fault.ts";
import type { Quote } from "../../domain/money/quote.ts";
import { costOn, wishOf } from "../../domain/pod/compute.ts";
import { podMistakes } from "../../domain/pod/mistakes.ts";
import type { Pod, PodSpec } from "../../domain/pod/pod.ts";
import { paidAhead, pricesOf } from "../../domain/pod/prices.ts";
import { specToStart } from "../../domain/pod/start.ts";
import { decideOn } from "../../store/place/take.ts";
import { findPod } from "../../store/pod/row.ts";
import { holdPrices } from "../../store/price-book/hold.ts";
import { coverOf, familyOf } from "../../store/savings-plan/cover.ts";
import { needsNoSync, type Verb } from "../../store/statement.ts";
import { unpaid } from "../billing/unpaid.ts";
import { volumeOfPod } from "../network-volume/of-pod.ts";
import type { PodDeps } from "../pod/create.ts";
import { refusedBy } from "./refused.ts";

export interface AskedChange {
  accountId: string;
  podId: string;
  changes: Partial<PodSpec>;
}

export async function quoteExistingPod(deps: PodDeps, asked: AskedChange): Promise<Quote> {
  const result = await deps.store.write(quote, deps, asked, deps.clock.now());
  if (result instanceof Fault) throw result;
  return result;
}

function* quote(deps: PodDeps, asked: AskedChange, now: number): Verb<Quote | Fault> {
  yield* needsNoSync();
  yield* holdPrices(deps.catalog);
  const found = yield* findPod(asked.podId);
  if (found?.accountId !== asked.accountId || found.state === "TERMINATED") {
    return new Fault("pod_not_found", { id: asked.podId });
  }
  const pod = { ...found, spec: { ...found.spec, ...asked.changes } };
  const mistakes = podMistakes(deps.catalog, pod.spec);
  if (mistakes.length > 0) return new Fault("invalid_body", { detail: mistakes.join(" ") });
  const { cost, ahead, passedOver } =
    pod.state === "RUNNING"
      ? { cost: pod.cost, ahead: paidAhead(pod), passedOver: null }
      : yield* started(deps, pod, now);
  const { runningRate, stoppedRate } = pricesOf(deps.catalog, pod.spec, cost);
  const running = runningRate - ahead;
  const paid = found.state === "RUNNING" ? found.runningRate - ahead : found.stoppedRate;
  const onGpu = pod.spec.computeType === "GPU";
  return {
    kind: "pod",
    passedOver,
    refused: refusedBy(running > paid ? yield* unpaid(pod, running - paid, now) : null),
    gpuTypeId: pod.gpuTypeId,
    gpuCount: onGpu ? pod.spec.gpuCount : 0,
    cpuFlavorId: pod.cpuFlavorId,
    compute: cost,
    paidAhead: ahead,
    running,
    stopped: stoppedRate,
    workers: null,
    alternatives: [],
  };
}

/** One that is stopped is started on its machine, at the prices of then. */
function* started({ catalog, rhythm }: PodDeps, pod: Pod, now: number) {
  const { spec, compute } = specToStart(catalog, pod, {});
  const search = { since: now - rhythm.goneMs, machine: pod.machine, except: pod.id };
  const volume = yield* volumeOfPod(spec);
  const found = yield* decideOn({ ...wishOf(catalog, spec, pod.driver, volume), compute }, search);
  const gpuCount = spec.computeType === "GPU" ? spec.gpuCount : 0;
  const cost = costOn(catalog, spec, pod.gpuTypeId, gpuCount);
  const gpus = Array.from({ length: gpuCount }, (_, n) => n);
  const coveredGpus = yield* coverOf(familyOf(pod), gpuCount, now);
  return {
    cost,
    ahead: paidAhead({ cost, gpus, coveredGpus }),
    passedOver: "placed" in found ? null : found.passedOver,
  };
}
