// A client deletes a Pod, or takes the request for one out of the line.

import type { Clock } from "../../base/clock.ts";
import type { Actor } from "../../domain/audit/entry.ts";
import { Fault } from "../../domain/fault.ts";
import type { Tx } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { lockQueuedPod } from "../../store/queued-pod/queued-pod.ts";
import { forgetQueued } from "../../transactions/queued-pod/line.ts";
import { currentActor } from "../audit/action.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { movePodAs } from "./move.ts";

export async function deletePodOf(
  { store, clock }: { store: Store; clock: Clock },
  accountId: string,
  id: string,
): Promise<void> {
  await throwRefusal(store.write(deleteEither, accountId, id, clock.now(), currentActor()));
}

function* deleteEither(
  accountId: string,
  id: string,
  at: number,
  by: Actor | undefined,
): Tx<null | Fault> {
  // A request that is tried meanwhile is locked until then, and is a Pod afterwards.
  const queued = yield* lockQueuedPod(id);
  if (queued?.accountId === accountId) {
    yield* forgetQueued(queued);
    return null;
  }
  const pod = yield* movePodAs(accountId, id, { event: "delete", at, by });
  return pod instanceof Fault ? pod : null;
}
