// What is wanted of a Pod is written here, and nowhere else: its making, and its moves by the table.

import type { Actor } from "../../domain/audit/entry.ts";
import type { Placed } from "../../domain/placement/decide.ts";
import { moved } from "../../domain/pod/happening.ts";
import { madeText, movedText } from "../../domain/pod/log-text.ts";
import type { PodEvent, PodState } from "../../domain/pod/moves.ts";
import { podMove } from "../../domain/pod/moves.ts";
import type { Pod, PodCause, PodSpec } from "../../domain/pod/pod.ts";
import type { PodPrices } from "../../domain/pod/prices.ts";
import { appendOwnAct } from "../audit/audit.ts";
import { endMeter } from "../money/usage.ts";
import { freeGpus, giveGpus } from "../place/gpus.ts";
import { coverPods, endPlans, familyOf } from "../savings-plan/cover.ts";
import { change, ring, type Verb } from "../statement.ts";
import { addSystemLine } from "../system-log.ts";
import { topic } from "../wakes.ts";
import { meterStopped } from "./meter.ts";
import { ringPod } from "./ring.ts";
import { columnsOf } from "./row.ts";

/** A Pod whose place was taken in the same turn. */
export function* insertPod(pod: Pod): Verb<void> {
  const columns = columnsOf(pod);
  const names = Object.keys(columns);
  yield* change(
    `insert into pod (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`,
    ...Object.values(columns),
  );
  yield* giveGpus(pod.id, pod.machine, pod.gpus);
  const by = pod.keyId === "" ? undefined : ({ kind: "key", keyId: pod.keyId } as const);
  const happening = moved(pod.cause, null, pod.state, by);
  yield* addSystemLine(pod.id, pod.createdAt, madeText(pod), happening);
  yield* coverPods(familyOf(pod), pod.createdAt);
  yield* ring(topic.workloads);
  yield* ringPod(pod);
}

export interface Move {
  event: PodEvent;
  cause: PodCause;
  /** Why, where it was none of a client's doing. */
  reason: string | null;
  /** Who asked for it; left out where nobody did. */
  by?: Actor | undefined;
  at: number;
}

export type Moved = PodState | "same" | "refused";

/** Moves a Pod that is locked in this turn; whatever is left without GPUs gives them back. */
export function* movePod(pod: Pod, { event, cause, reason, by, at }: Move): Verb<Moved> {
  const to = podMove(pod.state, event);
  if (to === null) return "refused";
  if (to === "same") return to;
  const family = familyOf(pod);
  yield* endPlans(family, at);
  yield* change(
    "update pod set state = ?, cause = ?, reason = ?, changed_at = ? where id = ?",
    to,
    cause,
    reason,
    at,
    pod.id,
  );
  if (to === "RUNNING") yield* wantAnew(pod.id);
  else {
    yield* freeGpus(pod.id);
    yield* change("update pod set covered_gpus = 0 where id = ?", pod.id);
  }
  // Whoever says stop pays no more from then on, however long the container takes to end.
  if (to === "EXITED") yield* meterStopped(pod.id, at);
  if (to === "TERMINATED") {
    yield* endMeter(pod.id, at);
    // Its own key opens nothing any more.
    yield* ring(topic.directory);
  }
  yield* coverPods(family, at);
  const happening = moved(cause, pod.state, to, by);
  yield* addSystemLine(pod.id, at, movedText(event, cause, reason), happening);
  if (ownMoves.has(cause)) yield* tellOwnMove(pod, event, reason, at);
  yield* ring(topic.workloads);
  yield* ringPod(pod);
  return to;
}

/** What the service does to a Pod by itself. */
const ownMoves: ReadonlySet<PodCause> = new Set<PodCause>([
  "stop_after",
  "terminate_after",
  "no_credits",
  "budget_spent",
  "account_disabled",
  "gave_up",
  "evicted",
  "disk_full",
]);

function* tellOwnMove(pod: Pod, event: PodEvent, reason: string | null, at: number): Verb<void> {
  yield* appendOwnAct({
    accountId: pod.accountId,
    at,
    operation: event === "delete" ? "deletePod" : "stopPod",
    resourceType: "pod",
    resourceId: pod.id,
    detail: reason ?? "",
  });
}

/** A new container, at once, and what the old ones did is forgiven. */
function* wantAnew(id: string): Verb<void> {
  yield* change(
    `update pod set round = round + 1, start_at = 0, ends = '', failed_starts = 0,
       failing_since = null, trouble = null, trouble_cause = null where id = ?`,
    id,
  );
}

/** What a Pod that is started again was given. */
export function* keepPlace(
  id: string,
  { machine, gpuTypeId, gpuIndices, virtual }: Placed,
  { cost, runningRate, stoppedRate }: PodPrices,
): Verb<void> {
  yield* change(
    `update pod set gpu_type_id = coalesce(?, gpu_type_id), gpus = ?, virtual = ?, cost = ?,
       running_rate = ?, stopped_rate = ? where id = ?`,
    gpuTypeId,
    gpuIndices.join(),
    Number(virtual),
    cost,
    runningRate,
    stoppedRate,
    id,
  );
  yield* giveGpus(id, machine, gpuIndices);
}

/** What a Pod asks of its machine from its next start on. */
export function* resizePod(id: string, spec: PodSpec, vcpus: number, memoryMb: number): Verb<void> {
  yield* change(
    "update pod set spec = ?, vcpus = ?, memory_mb = ? where id = ?",
    JSON.stringify(spec),
    vcpus,
    memoryMb,
    id,
  );
}

/** What takes effect in place. */
export function* changePodInPlace(
  pod: Pick<Pod, "id" | "accountId" | "name" | "locked" | "stopAfter" | "terminateAfter">,
): Verb<void> {
  yield* change(
    "update pod set name = ?, locked = ?, stop_after = ?, terminate_after = ? where id = ?",
    pod.name,
    Number(pod.locked),
    pod.stopAfter,
    pod.terminateAfter,
    pod.id,
  );
  yield* ringPod(pod);
}

/** What its next container will have; public ports are drawn anew when it is started. */
export function* respecifyPod(id: string, spec: PodSpec, prices: PodPrices): Verb<void> {
  yield* change(
    `update pod set spec = ?, container_gb = ?, volume_gb = ?, cost = ?, running_rate = ?,
       stopped_rate = ?, port_mappings = '{}' where id = ?`,
    JSON.stringify(spec),
    spec.containerDiskInGb,
    spec.volumeInGb,
    prices.cost,
    prices.runningRate,
    prices.stoppedRate,
    id,
  );
}
