// A request that waits in line as REST clients read it: as the Pod that it will be, which has no machine and costs nothing yet.

import { MB_PER_GB } from "../../../base/units.ts";
import type { Pod } from "../../../contract/rest-v1/pod/pod.ts";
import type { Catalog } from "../../../domain/catalog/catalog.ts";
import { computeOf, unofferedOf } from "../../../domain/pod/compute.ts";
import type { PodSpec } from "../../../domain/pod/spec.ts";
import type { QueuedPodView } from "../../../flows/queued-pod/read.ts";
import { instant, present } from "../serve/instant.ts";
import { labelsRead } from "../serve/labels.ts";
import { ownIdleRuleRead, plainTermsRead, settingsRead } from "./pod-view.ts";

export function queuedPodRead(catalog: Catalog, { pod, ahead }: QueuedPodView): Pod {
  const { spec, queuedAt, waiting, refusal } = pod;
  const { stopAfter, terminateAfter, stopWhenIdle } = pod;
  const left = refusal !== null;
  const change = left
    ? `Left the line: ${instant(refusal.at)}, ${refusal.reason}`
    : `Entered the line: ${instant(queuedAt)}`;
  return {
    ...settingsRead(spec),
    id: pod.id,
    name: pod.name,
    ...labelsRead(pod),
    desiredStatus: left ? "TERMINATED" : "RUNNING",
    status: left ? "TERMINATED" : "QUEUED",
    queued: {
      since: instant(queuedAt),
      ...(ahead !== null && { position: ahead + 1 }),
      ...(!left && { waitsFor: { code: waiting.code, message: waiting.sentence } }),
      ...(left && { refused: { at: instant(refusal.at), reason: refusal.reason } }),
    },
    image: spec.imageName,
    volumeEncrypted: false,
    consumerUserId: pod.accountId,
    machineId: "",
    ...hardwareRead(catalog, spec),
    costPerHr: 0,
    adjustedCostPerHr: 0,
    locked: pod.locked,
    publicIp: null,
    portMappings: {},
    createdAt: instant(queuedAt),
    ...(pod.owner && { createdBy: pod.owner }),
    lastStatusChange: change,
    ...present({ stopAfter, terminateAfter }),
    ...ownIdleRuleRead(stopWhenIdle),
    ...plainTermsRead(pod),
  };
}

/** What it requests; the GPU type only if it accepts one alone. */
function hardwareRead(catalog: Catalog, spec: PodSpec) {
  if (unofferedOf(catalog, spec) !== null) return { vcpuCount: spec.vcpuCount, gpuCount: 0 };
  const { vcpus, memoryMb } = computeOf(catalog, spec);
  const compute = { vcpuCount: vcpus, memoryInGb: Math.floor(memoryMb / MB_PER_GB) };
  if (spec.computeType === "CPU") return { ...compute, gpuCount: 0 };
  const [gpuTypeId, ...others] = spec.gpuTypeIds;
  const type = gpuTypeId !== undefined && others.length === 0 ? { gpuTypeId } : {};
  return { ...compute, ...type, gpuCount: spec.gpuCount };
}
