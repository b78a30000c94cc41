// The sentences of a Pod's system log. Pure.

import { MB_PER_GB } from "../../base/units.ts";
import { durationText } from "../duration.ts";
import { type End, howEnded } from "./after-end.ts";
import type { Pod, PodCause } from "./pod.ts";

export function createdText({ desired: { spec }, placement }: Pod): string {
  const { machine, vcpus, memoryMb, gpuTypeId, gpus } = placement;
  const gpu = gpus.length > 0 ? `, ${gpus.length} x ${gpuTypeId}` : "";
  const size = `${vcpus} vCPUs, ${Math.round(memoryMb / MB_PER_GB)} GB of memory${gpu}`;
  return `created with the image ${spec.imageName}: ${size}, on machine ${machine}`;
}

const causes: Record<PodCause, string> = {
  created: "a client creates it",
  started: "a client starts it",
  restarted: "a client restarts it: it gets a new container",
  reset: "a client resets or changes it: it gets a new container",
  stopped: "a client stops it",
  finished: "it has finished and is EXITED",
  deleted: "a client deletes it",
  stop_after: "stopped",
  max_lifetime: "stopped",
  idle: "stopped",
  terminate_after: "deleted",
  no_credits: "stopped",
  account_disabled: "stopped",
  budget_spent: "stopped",
  gave_up: "stopped",
  disk_full: "stopped",
  gpu_quarantined: "stopped",
  evicted: "evicted",
};

export function movedText(cause: PodCause, reason: string | null): string {
  const text = causes[cause];
  return reason === null ? text : `${text}: ${reason}`;
}

/** The line about a killed process in a container that ended well. */
export const CHILD_OOM_TEXT =
  "a process in the container was killed: the container reached its memory limit";

/** `startAt` is when the next container may be started; 0 if none follows. */
export function endedText(end: End, startAt: number): string {
  const next = startAt > 0 ? `; started again in ${durationText(startAt - end.at)}` : "";
  return `the container ended ${howEnded(end)}${next}`;
}

export function notStartedText(sentence: string, now: number, startAt: number): string {
  const next = startAt > 0 ? `; tried again in ${durationText(startAt - now)}` : "";
  return `could not be started: ${sentence}${next}`;
}

export const startingText = ({ desired: { spec } }: Pod) =>
  `starting a container of the image ${spec.imageName}`;

export function runningText(ports: Record<string, number>): string {
  const mappings = Object.entries(ports).map(
    ([port, publicPort]) => `its port ${port} is public as ${publicPort}`,
  );
  return ["the container runs", ...mappings].join("; ");
}
