// What Pods add to the quotas that they count against.

import type { Pod } from "../pod/pod.ts";
import type { PodPrices } from "../pod/prices.ts";
import type { Addition } from "./quota.ts";

type Running = Pick<Pod, "placement" | "pricing"> & {
  desired: { spec: Pick<Pod["desired"]["spec"], "volumeInGb"> };
};

/** A Pod that is created, or as many like it. */
export function additionOf({ placement, pricing, desired }: Running, count = 1): Addition {
  return {
    pods: count,
    gpus: placement.gpus.length * count,
    gpuTypeId: placement.gpuTypeId,
    vcpus: placement.vcpus * count,
    volumeGb: desired.spec.volumeInGb * count,
    rate: pricing.runningRate * count,
  };
}

/** A stopped Pod that starts at these prices: its volume exists already. */
export function additionOfStart(
  { pricing }: Pick<Pod, "pricing">,
  place: Pick<Pod["placement"], "gpus" | "gpuTypeId" | "vcpus">,
  { runningRate }: PodPrices,
): Addition {
  const { gpus, gpuTypeId, vcpus } = place;
  const rate = runningRate - pricing.stoppedRate;
  return { pods: 1, gpus: gpus.length, gpuTypeId, vcpus, rate };
}
