// Compares desired Pods with the containers that a driver observed, and returns a plan. Pure.

import type { ContainerState, Pod } from "./pod.ts";

export type DesiredPod = Pick<Pod, "id" | "desired" | "placement" | "observed" | "backoff">;

export interface ObservedContainer {
  id: string;
  state: "running" | "ended";
}

export type PodStep =
  | { do: "start"; id: string }
  | { do: "noteRunning"; id: string }
  /** It ended by itself. */
  | { do: "noteEnded"; id: string }
  | { do: "stop"; id: string }
  /** It ended because the Pod was stopped. */
  | { do: "noteStopped"; id: string }
  /** Removes the container, its log and the Pod's own volume. */
  | { do: "clear"; id: string };

/** A container that runs, with the GPUs it was started with; also one that is not desired anymore. */
export interface GpuUser {
  id: string;
  gpus: readonly number[];
}

export function diffPods(
  desired: readonly DesiredPod[],
  observed: readonly ObservedContainer[],
  users: readonly GpuUser[],
  now: number,
): PodStep[] {
  const states = new Map(observed.map(({ id, state }) => [id, state]));
  return desired.flatMap((pod) => {
    const step = stepFor(pod, states.get(pod.id), now);
    const { id, placement } = pod;
    if (step === null) return [];
    if (step === "start" && gpusInUse({ id, gpus: placement.gpus }, users)) return [];
    return [{ do: step, id }];
  });
}

function stepFor(
  { desired: { state, generation }, observed, backoff }: DesiredPod,
  actual: ObservedContainer["state"] | undefined,
  now: number,
): PodStep["do"] | null {
  if (state === "RUNNING") {
    const { startedGeneration } = observed;
    if (actual === "running") {
      if (startedGeneration < generation) return "stop";
      return observed.state === "running" ? null : "noteRunning";
    }
    if (startedGeneration === generation && hasEnded(observed.state, actual)) return "noteEnded";
    return now < backoff.startAt ? null : "start";
  }
  if (actual === "running") return "stop";
  if (state === "TERMINATED") return "clear";
  return observed.state === "running" || observed.state === "starting" ? "noteStopped" : null;
}

/** A container that was recorded as starting and does not exist was never started; it is started again. */
function hasEnded(
  recorded: ContainerState,
  actual: ObservedContainer["state"] | undefined,
): boolean {
  return recorded === "running" || (recorded === "starting" && actual === "ended");
}

/** A stopped Pod's GPUs can be taken at once, but its container may need a while to end. */
export function gpusInUse({ id, gpus }: GpuUser, users: readonly GpuUser[]): boolean {
  if (gpus.length === 0) return false;
  return users.some((user) => user.id !== id && user.gpus.some((gpu) => gpus.includes(gpu)));
}
