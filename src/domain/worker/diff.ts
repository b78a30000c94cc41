// Compares desired workers with those that a driver lists, and returns the steps that make them equal.
// Pure.

import type { EndCause } from "../container/end-cause.ts";
import type { DesiredState, ObservedState } from "./worker.ts";

export interface DesiredWorker {
  id: string;
  desired: DesiredState;
  observed: ObservedState;
  /** The number of jobs that it holds. */
  jobsHeld: number;
  /** A draining worker without jobs is stopped from this instant on; a request may still reach it before. */
  stopFrom?: number;
}

export interface WorkerObservation {
  id: string;
  state: "running" | "ended";
  startedAt: number;
  endedAt: number | null;
  exitCode: number | null;
  signal: string | null;
  oom?: true;
  childOom?: true;
}

export type WorkerStep =
  | { do: "start"; id: string }
  | { do: "noteStarted"; id: string; at: number }
  | {
      do: "noteEnded";
      id: string;
      at: number;
      exitCode: number | null;
      signal: string | null;
      cause?: EndCause;
      /** A process in it was killed for memory, and it ended well nevertheless. */
      childOom?: true;
    }
  /** Release its polls, then SIGTERM, then SIGKILL. */
  | { do: "stop"; id: string }
  /** It runs, but the store has no such worker or recorded its end. */
  | { do: "stopStray"; id: string };

export function diffWorkers(
  desiredWorkers: DesiredWorker[],
  observations: WorkerObservation[],
  now: number,
): WorkerStep[] {
  const byId = new Map(observations.map((observation) => [observation.id, observation]));
  const known = new Set(desiredWorkers.map(({ id }) => id));
  const steps = desiredWorkers.flatMap((worker) => stepsFor(worker, byId.get(worker.id), now));
  for (const { id, state } of observations) {
    if (state === "running" && !known.has(id)) steps.push({ do: "stopStray", id });
  }
  return steps;
}

function stepsFor(
  worker: DesiredWorker,
  observation: WorkerObservation | undefined,
  now: number,
): WorkerStep[] {
  const { id } = worker;
  if (!observation) {
    if (worker.observed === "running" || worker.desired !== "run") {
      return [{ do: "noteEnded", id, at: now, exitCode: null, signal: null }];
    }
    return [{ do: "start", id }];
  }
  if (observation.state === "ended") {
    const { exitCode, signal, oom, childOom } = observation;
    const end = { at: observation.endedAt ?? now, exitCode, signal, ...(childOom && { childOom }) };
    return [{ do: "noteEnded", id, ...end, ...(oom && { cause: "out_of_memory" as const }) }];
  }
  const steps: WorkerStep[] = [];
  if (worker.observed === "new") steps.push({ do: "noteStarted", id, at: observation.startedAt });
  const settled = worker.stopFrom === undefined || now >= worker.stopFrom;
  const finished = worker.desired === "drain" && worker.jobsHeld === 0 && settled;
  if (worker.desired === "end" || finished) steps.push({ do: "stop", id });
  return steps;
}
