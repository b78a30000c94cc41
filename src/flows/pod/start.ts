// A client starts a Pod that was stopped: on the same machine, for its volume is there, if what it
// needs is free.

import { Fault } from "../../domain/fault.ts";
import { costOf, wishOf } from "../../domain/pod/compute.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { pricesOf } from "../../domain/pod/prices.ts";
import { takePlace } from "../../store/place/take.ts";
import { findPod } from "../../store/pod/row.ts";
import { keepPlace, movePod } from "../../store/pod/wanted.ts";
import type { Verb } from "../../store/statement.ts";
import { unpaid } from "../billing/unpaid.ts";
import { volumeOfPod } from "../network-volume/of-pod.ts";
import type { PodDeps } from "./create.ts";
import { ownPod } from "./move.ts";

export async function startPod(deps: PodDeps, accountId: string, id: string): Promise<Pod> {
  const result = await deps.store.write(start, deps, accountId, id, deps.clock.now());
  if (result instanceof Fault) throw result;
  return result;
}

function* start(deps: PodDeps, accountId: string, id: string, now: number): Verb<Pod | Fault> {
  const pod = yield* ownPod(accountId, id);
  if (pod instanceof Fault || pod.state === "RUNNING") return pod;
  const { catalog, rhythm } = deps;
  const type = pod.gpuTypeId === null ? {} : { gpuTypeIds: [pod.gpuTypeId] };
  const spec = { ...pod.spec, ...type };
  const search = { since: now - rhythm.goneMs, machine: pod.machine, except: id };
  const volume = yield* volumeOfPod(spec);
  const found = yield* takePlace(wishOf(catalog, spec, pod.driver, volume), search, now);
  if (!("placed" in found)) {
    return new Fault("machine_full", {}, { passedOver: found.passedOver });
  }
  const prices = pricesOf(catalog, spec, costOf(catalog, spec, found.placed));
  const more = prices.runningRate - pod.stoppedRate;
  const refusal = yield* unpaid(accountId, more, now);
  if (refusal) return refusal;
  yield* keepPlace(id, found.placed, prices);
  yield* movePod(pod, { event: "start", cause: "started", reason: null, at: now });
  return (yield* findPod(id))!;
}
