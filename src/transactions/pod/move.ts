// Moves a Pod to another desired state by the table of moves, with all consequences: GPUs,
// metering, savings plans, log, audit, notifications.

import type { Actor } from "../../domain/audit/entry.ts";
import { podEnded } from "../../domain/notification/pod-ended.ts";
import { movedText } from "../../domain/pod/log-text.ts";
import { type PodEvent, type PodState, podMove } from "../../domain/pod/moves.ts";
import { noBackoff, type Pod, type PodCause } from "../../domain/pod/pod.ts";
import { moveEvent } from "../../domain/pod/pod-event.ts";
import { endOf } from "../../domain/sandbox/sandbox.ts";
import { appendSystemAct } from "../../store/audit/audit.ts";
import { lockCluster, removeCluster } from "../../store/cluster/cluster.ts";
import { topic } from "../../store/engine/notifier.ts";
import { notify, type Tx } from "../../store/engine/statement.ts";
import { releaseGpus } from "../../store/held-gpu/held-gpu.ts";
import { addSystemLine } from "../../store/log/system-log.ts";
import { hasMembers } from "../../store/pod/members.ts";
import { notifyPod } from "../../store/pod/notify.ts";
import { changePod, findPod, lockPod } from "../../store/pod/row.ts";
import { isEndUnseen } from "../../store/pod/unseen-end.ts";
import { endMeter } from "../money/meter.ts";
import { raiseEvent } from "../notification/raise.ts";
import { coverPods, endPlans, familyOf } from "../savings-plan/cover.ts";
import { meterStopped } from "./meter.ts";
import { noteSandboxEnd } from "./record-sandbox.ts";

export interface Move {
  event: PodEvent;
  cause: PodCause;
  /** The reason, unless a client requested the move. */
  reason: string | null;
  /** The actor of the request; omitted if the service decided the move. */
  by?: Actor | undefined;
  at: number;
}

export type MoveResult = PodState | "same" | "refused";

/** Moves a Pod that is locked in this transaction. A Pod that leaves RUNNING releases its GPUs. */
export function* movePod(pod: Pod, move: Move): Tx<MoveResult> {
  const { event, cause, reason, by, at } = move;
  const { state, generation } = pod.desired;
  const to = destination(pod, event);
  if (to === null) return "refused";
  if (to === "same") return to;
  const family = familyOf(pod);
  yield* endPlans(family, at);
  const desired = { state: to, cause, reason, changedAt: at };
  if (to === "RUNNING") {
    // A requested start ignores the back-off of earlier containers.
    const keptUntil = pod.idleSince !== null && pod.idleSince > at ? pod.idleSince : null;
    // A restart keeps its GPUs, so its time goes on.
    const runningSince = pod.desired.runningSince ?? at;
    const renewed = { ...desired, generation: generation + 1, runningSince };
    yield* changePod(pod.id, { desired: renewed, backoff: noBackoff, idleSince: keptUntil });
  } else {
    const stopped = { ...desired, runningSince: null, keptUntil: null };
    const ended = { desired: stopped, pricing: { coveredGpus: 0 } };
    yield* changePod(pod.id, { ...ended, idleSince: null, lifetimeWarning: null });
    yield* releaseGpus(pod.id);
  }
  // A container that runs is billed until its driver says that it has ended; that of a sandbox to its limit.
  const isAtLimit = pod.desired.spec.sandbox && !by;
  const isBilled = !isAtLimit && (yield* mayRun(pod.id));
  if (to === "EXITED" && !isBilled) yield* meterStopped(pod.id, at);
  if (to === "TERMINATED") {
    if (!isBilled) yield* endMeter(pod.id, at);
    if (pod.cluster) yield* forgetEmptyCluster(pod);
    // What was observed last may be recorded in this transaction.
    if (pod.desired.spec.sandbox)
      yield* noteSandboxEnd(pod, endOf((yield* findPod(pod.id))!, move));
    // The Pod's own key is void from now on.
    yield* notify(topic.authCache);
  }
  yield* coverPods(family, at);
  const logged = moveEvent(cause, state, to, by);
  yield* addSystemLine(pod.id, at, movedText(cause, reason), logged);
  if (ownCauses.has(cause)) yield* auditOwnMove(pod, move);
  if (to !== "RUNNING" && !by && !pod.desired.spec.sandbox) {
    // What was observed last may be recorded in this transaction.
    const observed = (yield* findPod(pod.id)) ?? pod;
    yield* raiseEvent(pod.accountId, podEnded(observed, { to, cause, reason, at }));
  }
  yield* notify(topic.workloads);
  yield* notifyPod(pod);
  return to;
}

/** Whether a container of it was seen running, and its driver can report when it ends. */
function* mayRun(id: string): Tx<boolean> {
  // What was observed last may be recorded in this transaction.
  const pod = yield* findPod(id);
  return pod?.observed.state === "running" && !(yield* isEndUnseen(id));
}

/** A sandbox is never stopped: what would stop a Pod ends it. */
function destination({ desired: { state, spec } }: Pod, event: PodEvent) {
  const to = podMove(state, event);
  return spec.sandbox && to === "EXITED" ? "TERMINATED" : to;
}

/**
 * Moves a Pod only if it is still in this state. A locked Pod refuses requests of clients, but not
 * this.
 */
export function* movePodFrom(id: string, from: PodState, move: Move): Tx<void> {
  const pod = yield* lockPod(id);
  if (pod?.desired.state === from) yield* movePod(pod, move);
}

/** Moves that the service decides. */
const ownCauses: ReadonlySet<PodCause> = new Set<PodCause>([
  "stop_after",
  "max_lifetime",
  "idle",
  "terminate_after",
  "no_credits",
  "budget_spent",
  "account_disabled",
  "gave_up",
  "evicted",
  "disk_full",
  "gpu_quarantined",
]);

function* auditOwnMove({ id, accountId, desired }: Pod, { event, reason, at }: Move): Tx<void> {
  const { sandbox } = desired.spec;
  yield* appendSystemAct({
    accountId,
    at,
    operation: sandbox ? "deleteSandbox" : event === "delete" ? "deletePod" : "stopPod",
    resourceType: sandbox ? "sandbox" : "pod",
    resourceId: id,
    detail: reason ?? "",
  });
}

/**
 * Deletes a cluster's row with its last member. Called when a member is terminated. The lock makes one of two
 * last members see the other gone.
 */
function* forgetEmptyCluster({ cluster }: Pick<Pod, "cluster">): Tx<void> {
  const found = cluster && (yield* lockCluster(cluster.id));
  if (found && !(yield* hasMembers(found.id))) yield* removeCluster(found);
}
