// The status of a Pod: what it is rather than what was asked for, and the actions that it accepts.

import type { Pod } from "../pod.ts";

export type PodStatus = "PROVISIONING" | "STARTING" | "RUNNING" | "EXITED" | "ERROR" | "TERMINATED";
export type PodAction = "start" | "stop" | "restart" | "terminate";

/** What decides the status. */
interface PodFacts {
  desired: Pick<Pod["desired"], "state" | "cause" | "generation">;
  observed: Pick<Pod["observed"], "state" | "startedGeneration">;
  /** Whether its machine was declared lost. */
  isLost: boolean;
}

export function podStatus({ desired, observed, isLost }: PodFacts): PodStatus {
  if (desired.state === "TERMINATED") return "TERMINATED";
  if (desired.state === "EXITED") return desired.cause === "gave_up" ? "ERROR" : "EXITED";
  if (isLost) return "ERROR";
  if (observed.startedGeneration === 0) return "PROVISIONING";
  // A restart or a change has asked for a new container.
  if (observed.startedGeneration !== desired.generation) return "STARTING";
  return observed.state === "running" ? "RUNNING" : "STARTING";
}

/** Why a Pod's status is ERROR. */
export type PodFailure =
  | { code: "machine_lost" | "start_failed" }
  | { code: "crashed"; exitCode: number | null; signal: string | null };

/** Null unless the status is ERROR. */
export function podFailure(
  facts: PodFacts & Pick<Pod, "backoff"> & { observed: Pick<Pod["observed"], "lastEnd"> },
): PodFailure | null {
  if (podStatus(facts) !== "ERROR") return null;
  if (facts.desired.state === "RUNNING") return { code: "machine_lost" };
  if (facts.backoff.failedStarts) return { code: "start_failed" };
  const { exitCode = null, signal = null } = facts.observed.lastEnd ?? {};
  return { code: "crashed", exitCode, signal };
}

const actions: Record<PodStatus, readonly PodAction[]> = {
  PROVISIONING: ["stop", "terminate"],
  STARTING: ["stop", "terminate"],
  RUNNING: ["stop", "restart", "terminate"],
  EXITED: ["start", "terminate"],
  ERROR: ["start", "terminate"],
  TERMINATED: [],
};

export function podActions(status: PodStatus): readonly PodAction[] {
  return actions[status];
}
