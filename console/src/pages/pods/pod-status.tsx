// How a Pod is, in a word: what is wanted of it, and what is seen.

import type { Schema } from "../../api/client.ts";
import { Status, type Tone } from "../../parts/status.tsx";

type Seen = Pick<
  Schema["Pod"],
  "desiredStatus" | "publicIp" | "portMappings" | "lastStartedAt" | "lastStatusChange"
>;

export type PodPhase = "running" | "starting" | "stopped" | "lost" | "terminated";

const shown: Record<PodPhase, [Tone, string]> = {
  running: ["good", "Running"],
  starting: ["info", "Starting"],
  stopped: ["off", "Stopped"],
  lost: ["bad", "Machine lost"],
  terminated: ["off", "Terminated"],
};

/** Those that a list has. */
export const phases = (["running", "starting", "stopped", "lost"] as const).map(
  (phase) => [phase, shown[phase][1]] as const,
);

export function phaseOf(pod: Seen): PodPhase {
  if (pod.desiredStatus === "EXITED") return "stopped";
  if (pod.desiredStatus === "TERMINATED") return "terminated";
  if (pod.lastStatusChange.startsWith("Machine lost")) return "lost";
  const reachable = pod.publicIp !== null || Object.keys(pod.portMappings).length > 0;
  return reachable || startedSince(pod) ? "running" : "starting";
}

/** Whether its container began after what was last asked of it. */
function startedSince({ lastStartedAt, lastStatusChange }: Seen): boolean {
  const [changedAt] = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(lastStatusChange) ?? [];
  if (!lastStartedAt || !changedAt) return false;
  return Date.parse(lastStartedAt) >= Date.parse(changedAt);
}

export function PodStatus({ pod }: { pod: Seen }) {
  const [tone, word] = shown[phaseOf(pod)];
  return <Status tone={tone}>{word}</Status>;
}
