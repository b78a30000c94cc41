// What is wanted of workers against what a driver saw of them: a plan, which somebody else carries
// out. Pure.

import type { EndCause } from "./end-cause.ts";

export interface WantedWorker {
  id: string;
  desired: "run" | "drain" | "end";
  observed: "new" | "running" | "ended";
  /** How many jobs it holds. */
  held: number;
}

export interface Seen {
  id: string;
  state: "running" | "ended";
  startedAt: number;
  endedAt: number | null;
  exitCode: number | null;
  signal: string | null;
  oom?: true;
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
    }
  /** Let its polls go, then SIGTERM, then SIGKILL. */
  | { do: "stop"; id: string }
  /** It runs and nobody wants it: no worker of ours, or one that was given up. */
  | { do: "stopStray"; id: string };

export function diffWorkers(wanted: WantedWorker[], seen: Seen[], now: number): WorkerStep[] {
  const sightings = new Map(seen.map((sighting) => [sighting.id, sighting]));
  const known = new Set(wanted.map(({ id }) => id));
  const steps = wanted.flatMap((worker) => stepsFor(worker, sightings.get(worker.id), now));
  for (const { id, state } of seen) {
    if (state === "running" && !known.has(id)) steps.push({ do: "stopStray", id });
  }
  return steps;
}

function stepsFor(worker: WantedWorker, seen: Seen | undefined, now: number): WorkerStep[] {
  const { id } = worker;
  if (!seen) {
    if (worker.observed === "running" || worker.desired !== "run") {
      return [{ do: "noteEnded", id, at: now, exitCode: null, signal: null }];
    }
    return [{ do: "start", id }];
  }
  if (seen.state === "ended") {
    const { exitCode, signal, oom } = seen;
    const end = { at: seen.endedAt ?? now, exitCode, signal };
    return [{ do: "noteEnded", id, ...end, ...(oom && { cause: "out_of_memory" as const }) }];
  }
  const steps: WorkerStep[] = [];
  if (worker.observed === "new") steps.push({ do: "noteStarted", id, at: seen.startedAt });
  const finished = worker.desired === "drain" && worker.held === 0;
  if (worker.desired === "end" || finished) steps.push({ do: "stop", id });
  return steps;
}
