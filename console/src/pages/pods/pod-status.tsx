// The phase of a Pod, from its desired and observed state, as a badge.

import type { Schema } from "../../api/client.ts";
import { Status, type Tone } from "../../components/data/status.tsx";

type PodObservation = Pick<
  Schema["Pod"],
  "desiredStatus" | "publicIp" | "portMappings" | "lastStartedAt" | "lastStatusChange"
>;

export type PodPhase = "running" | "starting" | "stopped" | "lost" | "terminated";

const phaseLabels: Record<PodPhase, [Tone, string]> = {
  running: ["good", "Running"],
  starting: ["info", "Starting"],
  stopped: ["off", "Stopped"],
  lost: ["bad", "Machine lost"],
  terminated: ["off", "Terminated"],
};

/** The phases of Pods in a list. */
export const phases = (["running", "starting", "stopped", "lost"] as const).map(
  (phase) => [phase, phaseLabels[phase][1]] as const,
);

export function phaseOf(pod: PodObservation): PodPhase {
  if (pod.desiredStatus === "EXITED") return "stopped";
  if (pod.desiredStatus === "TERMINATED") return "terminated";
  if (pod.lastStatusChange.startsWith("Machine lost")) return "lost";
  const reachable = pod.publicIp !== null || Object.keys(pod.portMappings).length > 0;
  return reachable || hasStartedSince(pod) ? "running" : "starting";
}

/** Whether the container started after the last requested change. */
function hasStartedSince({ lastStartedAt, lastStatusChange }: PodObservation): boolean {
  const [changedAt] = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(lastStatusChange) ?? [];
  if (!lastStartedAt || !changedAt) return false;
  return Date.parse(lastStartedAt) >= Date.parse(changedAt);
}

export function PodStatus({ pod }: { pod: PodObservation }) {
  const [tone, label] = phaseLabels[phaseOf(pod)];
  return <Status tone={tone}>{label}</Status>;
}
