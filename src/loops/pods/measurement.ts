// A measurement of a Pod, and what it did between two that follow one another.

import type { Clock } from "../../base/clock.ts";
import type { Pod } from "../../domain/pod/pod.ts";
import type { MeasuredActivity } from "../../domain/usage/idle.ts";
import type { Sample } from "../../domain/usage/sample.ts";
import type { Traffic } from "../../flows/replica/traffic.ts";

export interface Measurement {
  at: number;
  ticks: number;
  /** Another container begins again. */
  generation: number;
  networkBytes: number;
  sample: Sample;
  /** The CPUs that the sample's share is of. */
  cpus: number;
  gpuCount: number;
  /** Whether commands had input since the measurement before. */
  hasInput: boolean;
}

/** Between two measurements that follow one another. */
const MAX_GAP_MS = 60_000;

export function measurementOf(
  { clock, traffic }: { clock: Clock; traffic: Traffic },
  pod: Pod,
  sample: Sample,
  cpus: number,
): Measurement {
  return {
    at: clock.now(),
    ticks: clock.ticks(),
    generation: pod.desired.generation,
    networkBytes: bytesOf(sample) ?? traffic.bytesOf(pod.id),
    sample,
    cpus,
    gpuCount: pod.placement.gpus.length,
    hasInput: traffic.takeInput(pod.id),
  };
}

/**
 * Whether one measurement comes next after another: of the same container, and without a time between them in which the
 * machine slept, its clock was set, or nothing was measured. A clock that tests move skips nothing.
 */
export function follows(before: Measurement, now: Measurement, clock: Clock): boolean {
  if (before.generation !== now.generation) return false;
  const gapMs = now.ticks - before.ticks;
  const skippedMs = Math.abs(now.at - before.at - gapMs);
  return skippedMs <= MAX_GAP_MS && (gapMs <= MAX_GAP_MS || clock.jumpedTo !== undefined);
}

export function activityBetween(before: Measurement, now: Measurement): MeasuredActivity {
  const { networkBytes } = now;
  // The counters of a new container start at zero.
  const counted = networkBytes < before.networkBytes ? 0 : before.networkBytes;
  return { ...now, ms: now.ticks - before.ticks, networkBytes: networkBytes - counted };
}

const bytesOf = ({ receivedBytes, sentBytes }: Sample) =>
  receivedBytes === null || sentBytes === null ? null : receivedBytes + sentBytes;
