// Observations of a process, running or ended.

import type { Observation } from "../driver.ts";
import type { EndRecord } from "./workload-folder.ts";

export function runningObservation(id: string, startedAt: number): Observation {
  return { id, state: "running", startedAt, endedAt: null, exitCode: null, signal: null };
}

export function endedObservation(
  id: string,
  { startedAt, endedAt, exitCode, signal }: EndRecord,
): Observation {
  return { id, state: "ended", startedAt, endedAt, exitCode, signal };
}
