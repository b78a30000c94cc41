// A schedule: it submits a job to its endpoint at the instants of a cron expression.

import type { JobPolicy } from "../job/job-policy.ts";
import type { Labels } from "../label/labels.ts";
import type { Owned } from "../member/member.ts";

/** What happens at an instant while a job of the schedule is still live. */
export type ConcurrencyPolicy = "ALLOW" | "FORBID" | "REPLACE";
/** What happens to instants that passed while Freehold was not running. */
export type MissedRunPolicy = "SKIP" | "RUN_ONCE" | "RUN_ALL";

export interface ScheduleSpec {
  cron: string;
  /** A name of the IANA database. */
  timeZone: string;
  webhook: string | null;
  policy: Omit<JobPolicy, "delay" | "runAt">;
  concurrencyPolicy: ConcurrencyPolicy;
  missedRunPolicy: MissedRunPolicy;
  /** Instants that are longer ago are never made up for. */
  catchUpWindowMs: number;
}

export interface Schedule extends Owned {
  id: string;
  accountId: string;
  endpointId: string;
  name: string;
  labels: Labels;
  spec: ScheduleSpec;
  /** JSON text, as the client wrote it. */
  input: string;
  pausedAt: number | null;
  /** Null while it is paused, and when no instant is left. */
  nextRunAt: number | null;
  /** The latest instant that was dealt with. */
  lastRunAt: number | null;
  /** How many runs it has had; the number of the last one. */
  runs: number;
  /** Rises with every change, so that a change of what was read before fails. */
  revision: number;
  createdAt: number;
}

export type RunOutcome = "SUBMITTED" | "SKIPPED" | "FAILED";

export interface ScheduleRun {
  scheduleId: string;
  n: number;
  trigger: "SCHEDULE" | "MANUAL";
  /** The instant of the schedule, or of the request. */
  scheduledAt: number;
  startedAt: number;
  outcome: RunOutcome;
  jobId: string | null;
  /** Why it submitted no job. */
  reason: string | null;
}

/** The limit of one schedule. */
export const MAX_KEPT_RUNS = 50;
/** An input of this length is stored with its job in one statement. */
export const MAX_INPUT_BYTES = 64 * 1024;
