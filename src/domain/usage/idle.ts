// When a Pod counts as idle, and what happens to one that stays so. Pure.

import { MINUTE_MS } from "../../base/units.ts";
import { durationText } from "../duration.ts";
import { type IdlePolicy, policyText } from "./idle-policy.ts";
import type { Sample } from "./sample.ts";

export interface IdleRule {
  /** For how long it must be idle. */
  minutes: number;
  /** The load of its busiest GPU at which it still counts as idle. */
  gpuPercent: number;
  /** The load of all its CPUs, in percent of one of them: a busy process has 100, whatever the Pod's size. */
  cpuPercent: number;
  /** Bytes a second in and out. An open page of a notebook asks for its state all the time. */
  networkBytesPerSecond: number;
}

export const usualIdleRule: Omit<IdleRule, "minutes"> = {
  gpuPercent: 5,
  cpuPercent: 25,
  networkBytesPerSecond: 5_000,
};

/** What was measured between two instants. */
export interface MeasuredActivity {
  ms: number;
  sample: Pick<Sample, "cpuPercent" | "gpus">;
  /** How many CPUs the sample's share is of. */
  cpus: number;
  /** How many GPUs it has, whether or not they were measured. */
  gpuCount: number;
  /** Bytes of its network, or of its connections through the service if the driver counts none. */
  networkBytes: number;
  /** Whether commands were started in it, or had input. */
  hasInput: boolean;
}

/** `unknown` while something that the rule looks at was not measured: such a Pod is never stopped. */
export type IdleUse = "used" | "idle" | "unknown";

export function useOf(rule: Omit<IdleRule, "minutes">, activity: MeasuredActivity): IdleUse {
  const { ms, sample, cpus, gpuCount, networkBytes, hasInput } = activity;
  const cpuPercent = ofOneCpu(sample, cpus);
  if (hasInput || networkBytes * 1_000 > rule.networkBytesPerSecond * Math.max(ms, 1))
    return "used";
  if (sample.gpus.some(({ gpuUtilPercent }) => gpuUtilPercent > rule.gpuPercent)) return "used";
  if (cpuPercent !== null && cpuPercent > rule.cpuPercent) return "used";
  return cpuPercent === null || sample.gpus.length < gpuCount ? "unknown" : "idle";
}

/** The load of its CPUs, in percent of one; null if it was not measured. */
export const ofOneCpu = (
  { cpuPercent }: Pick<Sample, "cpuPercent">,
  cpus: number,
): number | null => (cpuPercent === null ? null : Math.round(cpuPercent * cpus));

export const idleStopAt = ({ minutes }: IdleRule, since: number): number =>
  since + minutes * MINUTE_MS;

/** How long before the stop its owner is warned; a rule with less time gives the shorter warning, or none. */
const WARNINGS_MS = [30 * MINUTE_MS, 5 * MINUTE_MS];

/** The warning that became due after `before` and until `now`: the time until the stop, or null. */
export function dueWarning(
  rule: IdleRule,
  since: number,
  { before, now }: { before: number; now: number },
): number | null {
  const stopAt = idleStopAt(rule, since);
  const due = WARNINGS_MS.filter(
    (ms) => ms < rule.minutes * MINUTE_MS && stopAt - ms > before && stopAt - ms <= now,
  );
  return due.length > 0 && stopAt > now ? stopAt - now : null;
}

/** "it was idle for 60 min, by the rule of its project "vision": it used its GPUs at most 2%, its CPUs at most 1% of one" */
export function idleText(
  policy: IdlePolicy,
  idleMs: number,
  peak: { gpu: number | null; cpu: number },
): string {
  const cpus = `its CPUs at most ${peak.cpu}% of one`;
  const used = peak.gpu === null ? "it used " : `it used its GPUs at most ${peak.gpu}%, `;
  return `it was idle for ${durationText(idleMs)}${policyText(policy)}: ${used}${cpus}`;
}
