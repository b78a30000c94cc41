// The wait for the start of a Pod's container. A Pod that does not fit on its node yet waits as long as another Pod
// there is about to end.

import { MINUTE_MS } from "../../base/units.ts";
import { StartAborted, StartRefused, type StartReporter, type Workload } from "../driver.ts";
import type { KubernetesCluster } from "./cluster.ts";
import type { NodePod } from "./pod/pod-view.ts";
import { StartProgress } from "./start-failure.ts";

const PULL_MS = 30 * MINUTE_MS;
const UNSCHEDULABLE_MS = 10_000;

interface StartingPod {
  cluster: KubernetesCluster;
  /** The Pod as it is now. */
  find: () => NodePod | undefined;
  /** Whether a Pod that Freehold ends still has its room on the node. */
  someEnd: () => boolean;
  discard: (pod: NodePod) => Promise<void>;
}

/** Rejects, and leaves no Pod, if it cannot start or is stopped before. */
export async function untilStarted(
  { cluster, find, someEnd, discard }: StartingPod,
  workload: Workload,
  report: StartReporter,
  signal: AbortSignal,
): Promise<void> {
  const progress = new StartProgress(workload, report);
  const waiting = () => find()?.waiting ?? null;
  const hasStarted = () => find()?.observation != null;
  const until = (holds: () => boolean, limitMs: number) => cluster.until(holds, limitMs, signal);
  let failure: Error | null = null;
  const isSettled = () => {
    failure = find()?.isDeleted
      ? new StartRefused("Its Pod was deleted in Kubernetes.", "cluster_trouble")
      : progress.failureOf(waiting());
    return failure !== null || hasStarted();
  };
  const isBlocked = () => waiting()?.reason === "Unschedulable";
  const isFree = () => hasStarted() || !isBlocked();
  // What blocks it may be about to end: another Pod, or a volume that is being provided.
  do {
    await until(isSettled, PULL_MS);
    await until(() => isFree() || !someEnd(), PULL_MS);
  } while (isBlocked() && (await until(isFree, UNSCHEDULABLE_MS)) && !signal.aborted);
  if (hasStarted()) return;
  const pod = find();
  if (pod) await discard(pod);
  if (signal.aborted) throw new StartAborted(workload.id);
  throw failure ?? new StartRefused(notStarted(pod), "cluster_trouble");
}

function notStarted(pod: NodePod | undefined): string {
  const { reason, message } = pod?.waiting ?? {};
  const cause = reason === undefined ? "" : `: ${reason} ${message}`.trimEnd();
  return `The Pod has not started within ${PULL_MS / MINUTE_MS} minutes${cause}.`;
}
