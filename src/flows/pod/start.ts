// A client starts a Pod that was stopped: on the same machine, for its volume is there, if what it
// needs is free.

import type { Actor } from "../../domain/audit/entry.ts";
import { Fault } from "../../domain/fault.ts";
import { costOf, wishOf } from "../../domain/pod/compute.ts";
import { podMistakes } from "../../domain/pod/mistakes.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { paidAhead, pricesOf } from "../../domain/pod/prices.ts";
import { type StartWishes, specToStart } from "../../domain/pod/start.ts";
import { takePlace } from "../../store/place/take.ts";
import { findPod } from "../../store/pod/row.ts";
import { keepPlace, movePod, resizePod } from "../../store/pod/wanted.ts";
import { holdPrices } from "../../store/price-book/hold.ts";
import { coverOf, familyOf } from "../../store/savings-plan/cover.ts";
import type { Verb } from "../../store/statement.ts";
import { whoAsks } from "../audit/act.ts";
import { unpaid } from "../billing/unpaid.ts";
import { volumeOfPod } from "../network-volume/of-pod.ts";
import type { PodDeps } from "./create.ts";
import { ownPod } from "./move.ts";

export async function startPod(
  deps: PodDeps,
  accountId: string,
  id: string,
  wishes: StartWishes = {},
): Promise<Pod> {
  const result = await deps.store.write(
    start,
    deps,
    { accountId, id, wishes, by: whoAsks() },
    deps.clock.now(),
  );
  if (result instanceof Fault) throw result;
  return result;
}

interface Start {
  accountId: string;
  id: string;
  wishes: StartWishes;
  by: Actor | undefined;
}

function* start(
  deps: PodDeps,
  { accountId, id, wishes, by }: Start,
  now: number,
): Verb<Pod | Fault> {
  const pod = yield* ownPod(accountId, id);
  if (pod instanceof Fault || pod.state === "RUNNING") return pod;
  const { catalog, rhythm } = deps;
  yield* holdPrices(catalog);
  const { spec, compute } = specToStart(catalog, pod, wishes);
  const mistakes = podMistakes(catalog, spec);
  if (mistakes.length > 0) return new Fault("invalid_body", { detail: mistakes.join(" ") });
  const search = { since: now - rhythm.goneMs, machine: pod.machine, except: id };
  const volume = yield* volumeOfPod(spec);
  const wish = { ...wishOf(catalog, spec, pod.driver, volume), compute };
  const found = yield* takePlace(wish, search, now);
  if (!("placed" in found)) {
    return new Fault("machine_full", {}, { passedOver: found.passedOver });
  }
  const prices = pricesOf(catalog, spec, costOf(catalog, spec, found.placed));
  const gpus = found.placed.gpuIndices;
  const coveredGpus = yield* coverOf(familyOf(pod), gpus.length, now);
  const ahead = paidAhead({ cost: prices.cost, gpus, coveredGpus });
  const more = prices.runningRate - ahead - pod.stoppedRate;
  const refusal = yield* unpaid(pod, more, now);
  if (refusal) return refusal;
  const { vcpus, memoryMb } = compute;
  const { gpuCount, bidPerGpu } = spec;
  yield* resizePod(id, { ...pod.spec, gpuCount, bidPerGpu }, vcpus, memoryMb);
  yield* keepPlace(id, found.placed, prices);
  yield* movePod(pod, { event: "start", cause: "started", reason: null, by, at: now });
  return (yield* findPod(id))!;
}
