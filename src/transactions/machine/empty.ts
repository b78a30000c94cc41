// Deletes the Pods and network volumes of a machine that is being removed.

import type { Tx } from "../../store/engine/statement.ts";
import { purgeVolume, volumesOn } from "../../store/network-volume/network-volume.ts";
import { lockPod, podsOn } from "../../store/pod/row.ts";
import { endMeter } from "../money/meter.ts";
import { deleteVolume } from "../network-volume/delete.ts";
import { forgetPod } from "../pod/forget.ts";
import { movePod } from "../pod/move.ts";

export function* emptyMachine(machine: string, now: number): Tx<void> {
  for (const { id } of yield* podsOn(machine)) yield* deletePod(id, now);
  for (const volume of yield* volumesOn(machine)) {
    yield* deleteVolume(volume, now);
    yield* purgeVolume(volume.id);
  }
}

function* deletePod(podId: string, at: number): Tx<void> {
  const pod = yield* lockPod(podId);
  if (!pod) return;
  const reason = "its machine was removed";
  yield* movePod(pod, { event: "delete", cause: "deleted", reason, at });
  yield* endMeter(podId, at);
  yield* forgetPod(podId);
}
