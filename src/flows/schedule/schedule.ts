// Schedules: an account creates, reads, changes, deletes and runs them. A loop fires them.

import type { CronTimes } from "../../base/cron/cron.ts";
import { Fault } from "../../domain/fault.ts";
import type { IdempotencyKey } from "../../domain/idempotency-key.ts";
import type { Labels } from "../../domain/label/labels.ts";
import type { Owned } from "../../domain/member/member.ts";
import {
  MAX_INPUT_BYTES,
  type Schedule,
  type ScheduleRun,
  type ScheduleSpec,
} from "../../domain/schedule/schedule.ts";
import { runsOf } from "../../store/schedule/run.ts";
import { findSchedule, listSchedules } from "../../store/schedule/schedule.ts";
import { deleteOwnSchedule, replaceSchedule } from "../../transactions/schedule/change.ts";
import { createScheduleOnce } from "../../transactions/schedule/create.ts";
import { runScheduleNow } from "../../transactions/schedule/fire.ts";
import { createOnceIn } from "../create-once.ts";
import { readQueueEndpoint } from "../endpoint/read-queue-endpoint.ts";
import type { FlowDeps } from "../flow-deps.ts";
import type { SubmitDeps } from "../job/submit.ts";
import { throwRefusal } from "../throw-refusal.ts";
import { cronTimes } from "./cron-times.ts";
import { jobOfRun } from "./submit-run.ts";

export interface ScheduleRequest extends Owned {
  accountId: string;
  endpointId: string;
  name: string;
  labels: Labels;
  spec: ScheduleSpec;
  input: string;
  paused: boolean;
  once: IdempotencyKey | null;
}

export async function createSchedule(deps: FlowDeps, request: ScheduleRequest): Promise<Schedule> {
  const { paused, once, ...settings } = request;
  await readQueueEndpoint(deps, request.accountId, request.endpointId);
  requireShortInput(request.input);
  const now = deps.clock.now();
  const times = await cronTimes(request.spec, now);
  const schedule: Schedule = {
    id: deps.ids.short(14),
    ...settings,
    pausedAt: paused ? now : null,
    nextRunAt: paused ? null : times.next(now),
    lastRunAt: null,
    runs: 0,
    revision: 1,
    createdAt: now,
  };
  return throwRefusal(deps.store.write(createScheduleOnce, once, schedule));
}

function requireShortInput(input: string): void {
  const bytes = Buffer.byteLength(input);
  if (bytes <= MAX_INPUT_BYTES) return;
  const detail = `"input" has ${bytes} bytes; the input of a schedule has at most ${MAX_INPUT_BYTES}.`;
  throw new Fault("invalid_body", { detail });
}

/** The newest first. */
export function readSchedules({ store }: FlowDeps, accountId: string): Promise<Schedule[]> {
  return store.read(listSchedules, accountId);
}

export async function readSchedule(
  { store }: FlowDeps,
  accountId: string,
  id: string,
): Promise<Schedule> {
  const schedule = await store.read(findSchedule, id);
  if (schedule?.accountId !== accountId) throw new Fault("schedule_not_found", { id });
  return schedule;
}

/** The newest first. */
export async function readRuns(
  deps: FlowDeps,
  accountId: string,
  id: string,
): Promise<ScheduleRun[]> {
  await readSchedule(deps, accountId, id);
  return deps.store.read(runsOf, id);
}

export interface ScheduleChanges {
  name?: string;
  labels?: Labels;
  input?: string;
  spec?: Partial<ScheduleSpec>;
  paused?: boolean;
}

/** Pausing a paused schedule changes nothing. Instants of a pause are not made up for. */
export async function changeSchedule(
  deps: FlowDeps,
  accountId: string,
  id: string,
  changes: ScheduleChanges,
): Promise<Schedule> {
  if (changes.input !== undefined) requireShortInput(changes.input);
  for (;;) {
    const schedule = await readSchedule(deps, accountId, id);
    const changed = await withChanges(deps, schedule, changes);
    // The loop may have fired it since.
    if (await deps.store.write(replaceSchedule, changed)) return readSchedule(deps, accountId, id);
  }
}

async function withChanges(
  { clock }: FlowDeps,
  schedule: Schedule,
  changes: ScheduleChanges,
): Promise<Schedule> {
  const now = clock.now();
  const spec = { ...schedule.spec, ...changes.spec };
  const { name = schedule.name, labels = schedule.labels, input = schedule.input } = changes;
  const { paused = schedule.pausedAt !== null } = changes;
  const pausedAt = paused ? (schedule.pausedAt ?? now) : null;
  const times = await cronTimes(spec, now);
  const isSame =
    !paused &&
    schedule.pausedAt === null &&
    spec.cron === schedule.spec.cron &&
    spec.timeZone === schedule.spec.timeZone;
  const nextRunAt = isSame ? schedule.nextRunAt : nextAfter(times, schedule, now);
  const settings = { name, labels, input, spec };
  return { ...schedule, ...settings, pausedAt, nextRunAt: paused ? null : nextRunAt };
}

/** An instant that ran is not repeated, also where the clock was set back. */
function nextAfter(times: CronTimes, { lastRunAt }: Schedule, now: number): number | null {
  return times.next(Math.max(now, lastRunAt ?? now));
}

/** Its jobs go on. */
export async function deleteSchedule(
  { store }: FlowDeps,
  accountId: string,
  id: string,
): Promise<void> {
  const isDeleted = await store.write(deleteOwnSchedule, accountId, id);
  if (!isDeleted) throw new Fault("schedule_not_found", { id });
}

/** Submits a job now, also of a paused schedule. */
export async function runSchedule(
  deps: FlowDeps & SubmitDeps,
  accountId: string,
  id: string,
  once: IdempotencyKey | null,
): Promise<ScheduleRun> {
  const schedule = await readSchedule(deps, accountId, id);
  const job = await jobOfRun(deps, schedule);
  return createOnceIn({ store: deps.store, once, now: job.now }, function* () {
    return (yield* runScheduleNow(id, job)) ?? new Fault("schedule_not_found", { id });
  });
}
