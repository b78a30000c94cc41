// What a Pod's system log says of each thing that happened to it. Pure.

import { spanText } from "../span.ts";
import { type End, howEnded } from "./after-end.ts";
import type { PodEvent } from "./moves.ts";
import type { Pod, PodCause } from "./pod.ts";

export function madeText({ spec, machine, vcpus, memoryMb, gpuTypeId, gpus }: Pod): string {
  const gpu = gpus.length > 0 ? `, ${gpus.length} x ${gpuTypeId}` : "";
  const size = `${vcpus} vCPUs, ${Math.round(memoryMb / 1_024)} GB of memory${gpu}`;
  return `created with the image ${spec.imageName}: ${size}, on machine ${machine}`;
}

const causes: Partial<Record<PodCause, string>> = {
  started: "a client starts it",
  restarted: "a client restarts it: a new container is wanted",
  reset: "a client resets or changes it: a new container is wanted",
  stopped: "a client stops it",
  finished: "it has finished, and is EXITED",
  deleted: "a client deletes it",
  disk_full: "stopped",
};

export function movedText(event: PodEvent, cause: PodCause, reason: string | null): string {
  const what = causes[cause] ?? `${event} (${cause.replaceAll("_", " ")})`;
  return reason === null ? what : `${what}: ${reason}`;
}

/** `again` is when the next container may be started, 0 where none follows. */
export function endedText(end: End, again: number): string {
  const next = again > 0 ? `; started again in ${spanText(again - end.at)}` : "";
  return `the container ended ${howEnded(end)}${next}`;
}

export function notStartedText(trouble: string, now: number, again: number): string {
  const next = again > 0 ? `; tried again in ${spanText(again - now)}` : "";
  return `could not be started: ${trouble}${next}`;
}

export const startingText = ({ spec }: Pod) =>
  `starting a container of the image ${spec.imageName}`;

export function runningText(ports: Record<string, number>): string {
  const told = Object.entries(ports).map(([own, open]) => `its port ${own} is public as ${open}`);
  return ["the container runs", ...told].join("; ");
}
