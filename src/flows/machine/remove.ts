// Removing a remote machine by the operator. It fails while workloads or volumes are on the machine,
// unless forced: then its Pods and volumes are deleted, as with a lost machine.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { purgeVolume, volumesOn } from "../../store/network-volume/network-volume.ts";
import { lockPod, podsOn } from "../../store/pod/row.ts";
import { lockRemote } from "../../store/remote-machine/remote-machine.ts";
import { liveWorkersOn } from "../../store/worker/worker.ts";
import { requireOperator } from "../../transactions/account/require-operator.ts";
import { loseMachine } from "../../transactions/machine/lose.ts";
import { removeRemote } from "../../transactions/machine/remove.ts";
import { deleteVolume } from "../../transactions/network-volume/delete.ts";
import { forgetPod } from "../../transactions/pod/forget.ts";
import { movePod } from "../../transactions/pod/move.ts";
import { throwRefusal } from "../throw-refusal.ts";

export async function removeMachine(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  id: string,
  force: boolean,
): Promise<void> {
  await throwRefusal(store.write(remove, accountId, id, force, clock.now()));
}

function* remove(accountId: string, id: string, force: boolean, now: number): Tx<Fault | null> {
  const refusal = yield* requireOperator(accountId);
  if (refusal) return refusal;
  if (!(yield* lockRemote(id))) return new Fault("machine_not_found", { id });
  const users = yield* usersOn(id);
  if (users !== null && !force) return new Fault("machine_in_use", { id, users });
  for (const { id: podId } of yield* podsOn(id)) yield* deletePod(podId, now);
  for (const volume of yield* volumesOn(id)) {
    yield* deleteVolume(volume, now);
    yield* purgeVolume(volume.id);
  }
  yield* removeRemote(id);
  yield* loseMachine(id, "all", now, now);
  return null;
}

function* deletePod(podId: string, at: number): Tx<void> {
  const pod = yield* lockPod(podId);
  if (!pod) return;
  const reason = "its machine was removed";
  yield* movePod(pod, { event: "delete", cause: "deleted", reason, at });
  yield* forgetPod(podId);
}

/** "2 Pods, 1 network volume", or null if the machine is empty. */
function* usersOn(id: string): Tx<string | null> {
  const counts: [count: number, noun: string][] = [
    [(yield* podsOn(id)).length, "Pod"],
    [(yield* liveWorkersOn(id)).length, "worker"],
    [(yield* volumesOn(id)).length, "network volume"],
  ];
  const remaining = counts.filter(([count]) => count > 0);
  if (remaining.length === 0) return null;
  return remaining.map(([count, noun]) => `${count} ${noun}${count > 1 ? "s" : ""}`).join(", ");
}
