// Creates a Pod, or lets its request wait in line if there is no room for it now. Both are one commit.

import { Fault } from "../../domain/fault.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import { turnOf } from "../../domain/queued-pod/line.ts";
import type { QueuedPod } from "../../domain/queued-pod/queued-pod.ts";
import { type Waiting, waitingAfter } from "../../domain/queued-pod/waiting.ts";
import { holdAccount } from "../../store/account/account.ts";
import type { Tx } from "../../store/engine/statement.ts";
import { countWaiting } from "../../store/queued-pod/queued-pod.ts";
import { createOnce } from "../../transactions/idempotency/create-once.ts";
import { enterLine } from "../../transactions/queued-pod/line.ts";
import { limitsOn, requireWithin } from "../../transactions/quota/require-quota.ts";
import { createResolved, type NewPod, type PodDeps, resolveNewPod } from "../pod/create.ts";
import type { ResolvedPod } from "../pod/resolve-spec.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { inLine, knownPlaces, readEarlier } from "./line.ts";

/** The requests of one account that may wait. */
const MAX_WAITING = 100;

/** What can wait: a Pod without terms that only its creator can judge later. */
export type PatientPod = Omit<NewPod, "mostPerHr" | "services" | "savingsPlan" | "isCaller">;

export type CreatedOrQueued =
  | { isQueued: false; created: Pod }
  | { isQueued: true; created: QueuedPod };

export function createOrQueue(deps: PodDeps, newPod: PatientPod): Promise<CreatedOrQueued> {
  const id = deps.ids.short(14);
  return throwRefusal(deps.store.write(createOrQueueOnce, deps, newPod, id, deps.clock.now()));
}

function* createOrQueueOnce(
  deps: PodDeps,
  newPod: PatientPod,
  id: string,
  now: number,
): Tx<CreatedOrQueued | Fault> {
  return yield* createOnce(newPod.once, now, () => createOrEnter(deps, newPod, id, now));
}

function* createOrEnter(
  deps: PodDeps,
  newPod: PatientPod,
  id: string,
  now: number,
): Tx<CreatedOrQueued | Fault> {
  const resolved = yield* resolveNewPod(deps, newPod);
  if (resolved instanceof Fault) return resolved;
  const places = yield* knownPlaces(deps, now);
  const candidate = (yield* inLine(deps, [{ ...newPod, ...resolved }], places, now))[0]!;
  const fits = candidate.places.size > 0;
  const turn = turnOf(fits ? yield* readEarlier(deps, now, places, candidate) : [], candidate);
  if ("behind" in turn) {
    return yield* enter({ ...newPod, id }, resolved, turn.behind.waiting, now);
  }
  const createdPod = { ...newPod, id, exceptPlaces: turn.claimed };
  const pod = yield* createResolved(deps, createdPod, resolved, now);
  if (!(pod instanceof Fault)) return { isQueued: false, created: pod };
  const waiting = waitingAfter(pod, fits);
  if (waiting === null) return pod;
  return yield* enter({ ...newPod, id }, resolved, waiting, now);
}

function* enter(
  { once: _, ...newPod }: PatientPod & { id: string },
  { spec, driver, request: { compute } }: ResolvedPod,
  waiting: Waiting,
  now: number,
): Tx<CreatedOrQueued | Fault> {
  const gpus = compute.kind === "GPU" ? compute.count : 0;
  const volumeGb = spec.volumeInGb;
  const addition = { pods: 1, gpus, vcpus: compute.vcpus, volumeGb };
  const subject = { ...newPod, isCaller: true };
  const excess = yield* requireWithin(yield* limitsOn(subject), subject, addition);
  if (excess && waitingAfter(excess, true) === null) return excess;
  // Two transactions could both take the last place.
  yield* holdAccount(newPod.accountId);
  if ((yield* countWaiting(newPod.accountId)) >= MAX_WAITING) {
    return new Fault("too_many_queued", { limit: MAX_WAITING });
  }
  const queued = { ...newPod, queuedAt: now, spec, driver, waiting, refusal: null };
  yield* enterLine(queued);
  return { isQueued: true, created: queued };
}
