// Conditions of an endpoint that last: its jobs fail too often, or its workers crash in a loop. Each is
// announced when it begins and when it ends. Pure.

import type { BackOff } from "../endpoint/crash-loop-back-off.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { type AccountEvent, accountEvent, named } from "./event.ts";
import type { EndedJobs, IncidentChange } from "./failure-rate.ts";

export type IncidentKind = "jobs_failing" | "worker_crash_loop";

export interface IncidentFact {
  endpoint: Pick<Endpoint, "id" | "name">;
  at: number;
  resolved: boolean;
}

export function jobsFailing(
  { endpoint, at, resolved }: IncidentFact,
  { completed, failed }: EndedJobs,
  windowMinutes: number,
): AccountEvent {
  const what = `${failed} of ${completed + failed} jobs failed within ${windowMinutes} minutes`;
  const text = named(endpoint.name, endpoint.id);
  return accountEvent({
    type: "jobs_failing",
    at,
    resolved,
    summary: resolved
      ? `Jobs of endpoint ${text} no longer fail too often: ${what}.`
      : `Jobs of endpoint ${text} fail: ${what}.`,
    resource: { type: "endpoint", id: endpoint.id, name: endpoint.name },
    details: { completed, failed, windowMinutes },
  });
}

/** A loop is over when a worker has finished a job, or a new release has begun. */
export function crashLoopChange(isOpen: boolean, verdict: BackOff["verdict"]): IncidentChange {
  if (isOpen) return verdict === "ok" ? "end" : null;
  return verdict === "crash_loop" ? "begin" : null;
}

/** The last failed worker, if there is one. */
interface FailedWorker {
  id: string;
  exitCode: number | null;
  signal: string | null;
}

export function crashLoop(
  { endpoint, at, resolved }: IncidentFact,
  tries: number,
  worker: FailedWorker | undefined,
): AccountEvent {
  const text = named(endpoint.name, endpoint.id);
  return accountEvent({
    type: "worker_crash_loop",
    at,
    resolved,
    summary: resolved
      ? `Workers of endpoint ${text} no longer crash in a loop.`
      : `Workers of endpoint ${text} crash in a loop: ${tries} in a row ended before they finished a job.`,
    resource: { type: "endpoint", id: endpoint.id, name: endpoint.name },
    details: {
      tries,
      lastWorkerId: worker?.id ?? null,
      exitCode: worker?.exitCode ?? null,
      signal: worker?.signal ?? null,
    },
  });
}
