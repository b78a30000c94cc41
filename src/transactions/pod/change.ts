// Changes a Pod's settings without moving it.

import type { Placed } from "../../domain/placement/decide.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import type { PodTerms } from "../../domain/pod/pod-request.ts";
import type { PodPrices } from "../../domain/pod/prices.ts";
import type { PodSpec } from "../../domain/pod/spec.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { allocateGpus } from "../../store/held-gpu/held-gpu.ts";
import { notifyPod } from "../../store/pod/notify.ts";
import { changePod } from "../../store/pod/row.ts";
import { attributePod } from "./meter.ts";

/** Takes effect without a new container. */
export function* changePodInPlace(pod: Pod, changes: Partial<PodTerms>, at: number): Tx<void> {
  const { name = pod.name, labels = pod.labels, ...desired } = changes;
  yield* changePod(pod.id, { name, labels, desired });
  yield* attributePod({ ...pod, labels }, at);
  yield* notifyPod(pod);
}

/** Takes effect with the next container. Public ports are assigned again when it starts. */
export function* respecifyPod(id: string, spec: PodSpec, prices: PodPrices): Tx<void> {
  const { cost, runningRate, stoppedRate } = prices;
  const pricing = { cost, runningRate, stoppedRate };
  yield* changePod(id, { desired: { spec }, pricing, observed: { portMappings: {} } });
}

export interface Replacement {
  placed: Placed;
  spec: PodSpec;
  vcpus: number;
  memoryMb: number;
  prices: PodPrices;
}

/** Sets the place that was taken for a stopped Pod on its machine. */
export function* replacePod(
  { id, placement }: Pod,
  { placed, spec, vcpus, memoryMb, prices }: Replacement,
): Tx<void> {
  const { gpuIndices: gpus, virtual } = placed;
  // A Pod that starts without GPUs remembers their type.
  const gpuTypeId = placed.gpuTypeId ?? placement.gpuTypeId;
  yield* changePod(id, {
    desired: { spec },
    placement: { gpuTypeId, gpus, virtual, vcpus, memoryMb },
    pricing: prices,
  });
  yield* allocateGpus(id, placed.machine, gpus);
}
