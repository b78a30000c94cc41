// Creates the Pod of a request in line, once there is room. The row is locked and deleted in the commit that creates the Pod,
// so that there is one Pod however many replicas try.

import { Fault } from "../../domain/fault.ts";
import { passedDeadline, type QueuedPod } from "../../domain/queued-pod/queued-pod.ts";
import { NO_MACHINE, type Waiting, waitingInLine } from "../../domain/queued-pod/waiting.ts";
import { isDisabled } from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { lockPricesShared } from "../../store/price-book/lock.ts";
import { lockQueuedPod } from "../../store/queued-pod/queued-pod.ts";
import { requireMembership } from "../../transactions/member/require-membership.ts";
import { noteWaiting, refuseQueued, startQueued } from "../../transactions/queued-pod/line.ts";
import { createPodAs, type PodDeps } from "../pod/create.ts";

interface Turn {
  pod: Pick<QueuedPod, "id" | "owner">;
  /** Whether a GPU type would do that no quota rules out. */
  isAllowed: boolean;
  /** The places that earlier requests wait for. */
  claimed: ReadonlySet<string>;
}

/** What it still waits for; null if it left the line. */
export function* tryQueued(
  deps: PodDeps,
  { pod: { id, owner }, isAllowed, claimed }: Turn,
  now: number,
): Tx<Waiting | null> {
  // In the order in which other transactions lock: prices, the member, then what belongs to the member.
  yield* lockPricesShared(deps.catalog);
  const former = yield* requireMembership({ owner });
  const queued = yield* lockQueuedPod(id);
  if (!queued || queued.refusal) return null;
  const ending = yield* endingOf(queued, former !== null && queued.owner?.id === owner?.id, now);
  if (ending !== null) {
    yield* refuseQueued(queued, ending, now);
    return null;
  }
  // A machine that is away takes its driver with it; another driver would not run what was asked for.
  if (deps.driverFor({ driver: queued.driver }) === null) {
    yield* noteWaiting(queued, NO_MACHINE);
    return NO_MACHINE;
  }
  const { spec: _, driver, queuedAt, waiting, refusal, ...newPod } = queued;
  const late = { ...newPod, isCaller: false, exceptPlaces: claimed, once: null };
  const pod = yield* createPodAs(deps, late, id, now);
  if (!(pod instanceof Fault)) {
    yield* startQueued(queued, pod.placement.machine, now);
    return null;
  }
  const still = waitingInLine(pod, isAllowed);
  if (still) yield* noteWaiting(queued, still);
  else yield* refuseQueued(queued, pod.message, now);
  return still;
}

/** Why the request ends before it is tried; null if it does not. */
function* endingOf(queued: QueuedPod, isFormer: boolean, now: number): Tx<string | null> {
  if (yield* isDisabled(queued.accountId)) return "the account was disabled";
  if (isFormer) return "its owner was removed from the account";
  return passedDeadline(queued, now);
}
