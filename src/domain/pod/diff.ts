// What is wanted of Pods against what a driver saw of their containers: a plan, which somebody else
// carries out. Pure.

import type { ContainerState, Pod } from "./pod.ts";

export type WantedPod = Pick<
  Pod,
  "id" | "state" | "round" | "startedRound" | "observed" | "startAt" | "gpus"
>;

export interface SeenContainer {
  id: string;
  state: "running" | "ended";
}

export type PodStep =
  | { do: "start"; id: string }
  | { do: "noteRunning"; id: string }
  /** It ended by itself. */
  | { do: "noteEnded"; id: string }
  | { do: "stop"; id: string }
  /** It is gone, as was wanted. */
  | { do: "noteStopped"; id: string }
  /** Nothing of it may be left, its volume neither. */
  | { do: "clear"; id: string };

/** What runs on the machine with the GPUs that it was started with, wanted or not. */
export interface GpuUser {
  id: string;
  gpus: readonly number[];
}

export function diffPods(
  wanted: readonly WantedPod[],
  seen: readonly SeenContainer[],
  users: readonly GpuUser[],
  now: number,
): PodStep[] {
  const states = new Map(seen.map(({ id, state }) => [id, state]));
  return wanted.flatMap((pod) => {
    const what = stepFor(pod, states.get(pod.id), now);
    if (what === null || (what === "start" && gpusInUse(pod, users))) return [];
    return [{ do: what, id: pod.id }];
  });
}

function stepFor(
  { state, round, startedRound, observed, startAt }: WantedPod,
  seen: SeenContainer["state"] | undefined,
  now: number,
): PodStep["do"] | null {
  if (state === "RUNNING") {
    if (seen === "running") {
      if (startedRound < round) return "stop";
      return observed === "running" ? null : "noteRunning";
    }
    if (startedRound === round && hasEnded(observed, seen)) return "noteEnded";
    return now < startAt ? null : "start";
  }
  if (seen === "running") return "stop";
  if (state === "TERMINATED") return "clear";
  return observed === "running" || observed === "starting" ? "noteStopped" : null;
}

/** One that was being started and is not there was never started: that is done again. */
function hasEnded(observed: ContainerState, seen: SeenContainer["state"] | undefined): boolean {
  return observed === "running" || (observed === "starting" && seen === "ended");
}

/** GPUs are given on at once when a Pod stops, but its container may need a while to end. */
export function gpusInUse({ id, gpus }: GpuUser, users: readonly GpuUser[]): boolean {
  if (gpus.length === 0) return false;
  return users.some((user) => user.id !== id && user.gpus.some((gpu) => gpus.includes(gpu)));
}
