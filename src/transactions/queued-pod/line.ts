// Requests for Pods enter the line and leave it. Each change is in the system log of the Pod to come.

import { isDeepStrictEqual } from "node:util";
import { podLeftLine, podRefused } from "../../domain/notification/pod-queued.ts";
import { lineEvent } from "../../domain/pod/pod-event.ts";
import type { QueuedPod } from "../../domain/queued-pod/queued-pod.ts";
import type { Waiting } from "../../domain/queued-pod/waiting.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { addSystemLine, forgetSystemLines } from "../../store/log/system-log.ts";
import {
  deleteQueuedPod,
  insertQueuedPod,
  lockQueuedPod,
  lockQueuedPodsOfOwner,
  refusedBefore,
  setRefusal,
  setWaiting,
} from "../../store/queued-pod/queued-pod.ts";
import { raiseEvent } from "../notification/raise.ts";

export function* enterLine(pod: QueuedPod): Tx<void> {
  yield* insertQueuedPod(pod);
  const line = `waits in line: ${pod.waiting.sentence}`;
  yield* addSystemLine(pod.id, pod.queuedAt, line, lineEvent("queued", pod.keyId));
}

/** Takes a locked request out of the line; it can still be read, with the reason. */
export function* refuseQueued(pod: QueuedPod, reason: string, at: number): Tx<void> {
  yield* setRefusal(pod, reason, at);
  const line = `left the line without a Pod: ${reason}`;
  yield* addSystemLine(pod.id, at, line, lineEvent("queue_refused", pod.keyId));
  yield* raiseEvent(pod.accountId, podRefused(pod, reason, at));
}

/** Records what it waits for now. Behind an earlier request, that is what the earlier one waits for. */
export function* noteWaiting(pod: QueuedPod, waiting: Waiting): Tx<void> {
  if (!isDeepStrictEqual(pod.waiting, waiting)) yield* setWaiting(pod, waiting);
}

/** Ends a locked request whose Pod this transaction has created. The log is the Pod's from now on. */
export function* startQueued(pod: QueuedPod, machine: string, at: number): Tx<void> {
  yield* deleteQueuedPod(pod);
  yield* raiseEvent(pod.accountId, podLeftLine(pod, machine, at));
}

/** Deletes a locked request, and what was logged of it. */
export function* forgetQueued(pod: QueuedPod): Tx<void> {
  yield* deleteQueuedPod(pod);
  yield* forgetSystemLines(pod.id);
}

/** The requests of a member that is removed and hands nothing over. */
export function* refuseQueuedOf(
  { accountId, id, name }: { accountId: string; id: string; name: string },
  at: number,
): Tx<void> {
  for (const pod of yield* lockQueuedPodsOfOwner(accountId, id)) {
    yield* refuseQueued(pod, `its owner ${name} was removed from the account`, at);
  }
}

/** Deletes requests that left the line before an instant. */
export function* forgetRefused(before: number): Tx<void> {
  for (const { id } of yield* refusedBefore(before)) {
    const pod = yield* lockQueuedPod(id);
    if (pod?.refusal) yield* forgetQueued(pod);
  }
}
