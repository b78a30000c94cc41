// Inserts a Pod whose place was taken in the same transaction.

import { createdText } from "../../domain/pod/log-text.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { moveEvent } from "../../domain/pod/pod-event.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";
import { allocateGpus } from "../../store/held-gpu/held-gpu.ts";
import { addSystemLine } from "../../store/log/system-log.ts";
import { notifyPod } from "../../store/pod/notify.ts";
import { addPod } from "../../store/pod/row.ts";
import { coverPods, familyOf } from "../savings-plan/cover.ts";

export function* insertPod(pod: Pod): Tx<void> {
  const { id, keyId, createdAt, desired, placement } = pod;
  yield* addPod(pod);
  yield* allocateGpus(id, placement.machine, placement.gpus);
  const by = keyId === "" ? undefined : ({ kind: "key", keyId } as const);
  const event = moveEvent(desired.cause, null, desired.state, by);
  yield* addSystemLine(id, createdAt, createdText(pod), event);
  yield* coverPods(familyOf(pod), createdAt);
  yield* notify(topic.workloads);
  yield* notifyPod(pod);
}
