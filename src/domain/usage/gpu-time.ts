// How long a Pod holds GPUs, and how long of that they are idle. Pure.

import { type MeasuredActivity, useOf, usualIdleRule } from "./idle.ts";

/** What a Pod of one owner held on a day, in milliseconds times GPUs. */
export interface GpuTime {
  podId: string;
  podName: string;
  accountId: string;
  ownerId: string | null;
  /** The start of the day, in UTC. */
  day: number;
  measuredMs: number;
  idleMs: number;
  /** When it was measured last. */
  at: number;
}

/** Judges by the usual limits, whatever the Pod's own are, so that Pods compare. Null if it was not measured, or holds no GPU. */
export function gpuTimeOf(
  activity: MeasuredActivity,
): Pick<GpuTime, "measuredMs" | "idleMs"> | null {
  const use = activity.gpuCount === 0 ? "unknown" : useOf(usualIdleRule, activity);
  if (use === "unknown") return null;
  const measuredMs = Math.round(activity.ms) * activity.gpuCount;
  return { measuredMs, idleMs: use === "idle" ? measuredMs : 0 };
}
