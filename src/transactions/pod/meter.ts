// Meters a Pod: its rate changes when its container starts or ends, and when it is stopped.

import type { Pod } from "../../domain/pod/pod.ts";
import { paidAhead } from "../../domain/pod/prices.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { findPod } from "../../store/pod/row.ts";
import type { UsageKind } from "../../store/usage/usage.ts";
import { attribute, meter, meterDisks } from "../money/meter.ts";
import { endPlans, familyOf } from "../savings-plan/cover.ts";

/** Records that its container runs since `at`. */
export function* meterRunning(
  { id, ...before }: Pod,
  dataCenterId: string | null,
  at: number,
): Tx<void> {
  yield* endPlans(familyOf(before), at);
  // A plan may have ended, so fewer of its GPUs may be covered now.
  const pod = (yield* findPod(id))!;
  const { accountId, keyId, cluster, desired, placement, pricing } = pod;
  const { spec } = desired;
  const metered = {
    accountId,
    kind: kindOf(desired.spec, cluster),
    resourceId: id,
    endpointId: cluster?.id ?? "",
    gpuTypeId: placement.gpuTypeId ?? "",
    dataCenterId: dataCenterId ?? "",
    imageName: spec.imageName,
    templateId: spec.templateId ?? "",
    volumeType: "" as const,
    gpus: placement.gpus.length,
    keyId,
    ...attributionOf(pod),
    running: true,
    diskGb: spec.containerDiskInGb + spec.volumeInGb,
    rate: pricing.runningRate - paidAhead(pricing, placement.gpus.length),
    diskRate: pricing.runningRate - pricing.cost,
  };
  yield* meter(metered, at);
}

/**
 * Records that no container of it runs since `at`. If one ever ran, its volume is billed from then
 * on.
 */
export function* meterStopped(id: string, at: number): Tx<void> {
  const pod = yield* findPod(id);
  if (!pod) return;
  yield* endPlans(familyOf(pod), at);
  const { volumeInGb } = pod.desired.spec;
  const disks = { rate: pod.pricing.stoppedRate, diskGb: volumeInGb, ...attributionOf(pod) };
  yield* meterDisks(id, disks, at);
}

/** Records that the Pod, as it is now, has other labels or another owner since `at`. */
export function* attributePod(pod: Pod, at: number): Tx<void> {
  yield* attribute(pod.id, attributionOf(pod), at);
}

const attributionOf = ({ ownerId, labels }: Pod) => ({ ownerId, labels });

function kindOf({ sandbox }: Pod["desired"]["spec"], cluster: Pod["cluster"]): UsageKind {
  if (sandbox) return "sandbox";
  return cluster ? "cluster" : "pod";
}
