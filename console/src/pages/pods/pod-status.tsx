// The status of a Pod as a badge. The service decides it; this file has its words.

import type { Schema } from "../../api/client.ts";
import { Status, type Tone } from "../../components/data/status.tsx";

type PodObservation = Pick<Schema["Pod"], "status" | "failure">;
type Failure = NonNullable<PodObservation["failure"]>;

export type PodPhase =
  | "queued"
  | "running"
  | "starting"
  | "stopped"
  | "terminated"
  | Failure["code"];

const phaseLabels: Record<PodPhase, [Tone, string]> = {
  queued: ["info", "In line"],
  running: ["good", "Running"],
  starting: ["info", "Starting"],
  stopped: ["off", "Stopped"],
  crashed: ["bad", "Crashed"],
  start_failed: ["bad", "Start failed"],
  machine_lost: ["bad", "Machine lost"],
  unhealthy: ["bad", "Unhealthy"],
  terminated: ["off", "Terminated"],
};

/** The phases of Pods in a list. */
export const phases = (
  ["queued", "running", "starting", "stopped", "crashed", "start_failed", "machine_lost"] as const
).map((phase) => [phase, phaseLabels[phase][1]] as const);

const phaseOfStatus: Record<Exclude<PodObservation["status"], "ERROR">, PodPhase> = {
  QUEUED: "queued",
  PROVISIONING: "starting",
  STARTING: "starting",
  RUNNING: "running",
  EXITED: "stopped",
  TERMINATED: "terminated",
};

export function phaseOf({ status, failure }: PodObservation): PodPhase {
  return status === "ERROR" ? (failure?.code ?? "crashed") : phaseOfStatus[status];
}

export function PodStatus({ pod }: { pod: PodObservation }) {
  const [tone, label] = phaseLabels[phaseOf(pod)];
  return (
    <Status tone={tone}>
      {label}
      {endText(pod.failure)}
    </Status>
  );
}

/** " (exit 1)" or " (SIGKILL)" after a crash. */
function endText({ exitCode, signal }: Partial<Failure> = {}): string {
  if (signal) return ` (${signal})`;
  return exitCode === undefined ? "" : ` (exit ${exitCode})`;
}
