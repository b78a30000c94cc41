// A Pod's meter: with what is seen of its container, and with what is wanted, its rate changes.

import type { Pod } from "../../domain/pod/pod.ts";
import { meter, meterDisks } from "../money/usage.ts";
import { row, type Verb } from "../statement.ts";

/** Its container runs since `at`. */
export function* meterRunning(pod: Pod, dataCenterId: string | null, at: number): Verb<void> {
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
    rate: pod.runningRate,
  };
  yield* meter(thing, at);
}

/** No container of it runs since `at`: what is left is its volume, once there was one. */
export function* meterStopped(id: string, at: number): Verb<void> {
  const pod = yield* row<{ stopped_rate: number; volume_gb: number }>(
    "select stopped_rate, volume_gb from pod where id = ?",
    id,
  );
  if (pod) yield* meterDisks(id, { rate: pod.stopped_rate, diskGb: pod.volume_gb }, at);
}
