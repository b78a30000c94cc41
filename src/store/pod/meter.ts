// A Pod's meter: with what is seen of its container, and with what is wanted, its rate changes.

import type { Pod } from "../../domain/pod/pod.ts";
import { paidAhead } from "../../domain/pod/prices.ts";
import { meter, meterDisks } from "../money/usage.ts";
import { endPlans, familyOf } from "../savings-plan/cover.ts";
import type { Verb } from "../statement.ts";
import { findPod } from "./row.ts";

/** Its container runs since `at`. */
export function* meterRunning(seen: Pod, dataCenterId: string | null, at: number): Verb<void> {
  yield* endPlans(familyOf(seen), at);
  const pod = (yield* findPod(seen.id))!;
  const { spec } = pod;
  const thing = {
    accountId: pod.accountId,
    kind: "pod" as const,
    resourceId: pod.id,
    endpointId: "",
    gpuTypeId: pod.gpuTypeId ?? "",
    dataCenterId: dataCenterId ?? "",
    imageName: spec.imageName,
    templateId: spec.templateId ?? "",
    keyId: pod.keyId,
    running: true,
    diskGb: spec.containerDiskInGb + spec.volumeInGb,
    rate: pod.runningRate - paidAhead(pod),
  };
  yield* meter(thing, at);
}

/** No container of it runs since `at`: what is left is its volume, once there was one. */
export function* meterStopped(id: string, at: number): Verb<void> {
  const pod = yield* findPod(id);
  if (!pod) return;
  yield* endPlans(familyOf(pod), at);
  yield* meterDisks(id, { rate: pod.stoppedRate, diskGb: pod.spec.volumeInGb }, at);
}
