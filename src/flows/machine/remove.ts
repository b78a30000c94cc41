// The operator removes a machine at an address of its own. What is there keeps it, unless it is given
// up with the machine: then its Pods and volumes are gone, as with a machine that burned down.

import type { Clock } from "../../base/clock.ts";
import { Fault } from "../../domain/fault.ts";
import { dropVolume, forgetVolume } from "../../store/network-volume/dropped.ts";
import { volumesOn } from "../../store/network-volume/network-volume.ts";
import { lockPod, podsOn } from "../../store/pod/row.ts";
import { forgetPod } from "../../store/pod/seen.ts";
import { movePod } from "../../store/pod/wanted.ts";
import { loseMachine } from "../../store/replica/lose-machine.ts";
import { deleteRemote, lockRemote } from "../../store/replica/remote-machine.ts";
import type { Verb } from "../../store/statement.ts";
import type { Store } from "../../store/store.ts";
import { liveWorkersOn } from "../../store/worker/worker.ts";
import { mustBeOperator } from "../account/operator.ts";

export async function removeMachine(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  id: string,
  force: boolean,
): Promise<void> {
  const fault = await store.write(remove, accountId, id, force, clock.now());
  if (fault) throw fault;
}

function* remove(accountId: string, id: string, force: boolean, now: number): Verb<Fault | null> {
  const refusal = yield* mustBeOperator(accountId);
  if (refusal) return refusal;
  if (!(yield* lockRemote(id))) return new Fault("machine_not_found", { id });
  const users = yield* usersOn(id);
  if (users !== null && !force) return new Fault("machine_in_use", { id, users });
  for (const { id: podId } of yield* podsOn(id)) yield* giveUp(podId, now);
  for (const volume of yield* volumesOn(id)) {
    yield* dropVolume(volume, now);
    yield* forgetVolume(volume.id);
  }
  yield* deleteRemote(id);
  yield* loseMachine(id, "all", now, now);
  return null;
}

function* giveUp(podId: string, at: number): Verb<void> {
  const pod = yield* lockPod(podId);
  if (!pod) return;
  const reason = "its machine was removed";
  yield* movePod(pod, { event: "delete", cause: "deleted", reason, at });
  yield* forgetPod(podId);
}

/** "2 Pods and 1 network volume", or null where nothing is there. */
function* usersOn(id: string): Verb<string | null> {
  const counts: [count: number, noun: string][] = [
    [(yield* podsOn(id)).length, "Pod"],
    [(yield* liveWorkersOn(id)).length, "worker"],
    [(yield* volumesOn(id)).length, "network volume"],
  ];
  const there = counts.filter(([count]) => count > 0);
  if (there.length === 0) return null;
  return there.map(([count, noun]) => `${count} ${noun}${count > 1 ? "s" : ""}`).join(", ");
}
