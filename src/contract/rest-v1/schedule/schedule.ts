// Schedules, which submit jobs at the instants of a cron expression. Operations of Freehold's own.

import Type, { type Static } from "typebox";
import { createdBy, instant, labeledList, labels, name, withoutDefault } from "../../fields.ts";
import { type Operations, read, write } from "../../operation.ts";
import { policySchema } from "../../queue/submit.ts";

const { delay: _, runAt: __, ...policyFields } = policySchema.properties;
const policy = Type.Object(policyFields, {
  title: "SchedulePolicy",
  additionalProperties: false,
  description: "The policy of its jobs, as in run, without delay and runAt.",
});

const cron = Type.String({
  minLength: 1,
  maxLength: 200,
  description:
    "Five fields: minute, hour, day of the month, month, day of the week; or @hourly, @daily, @weekly, @monthly, @yearly.",
});
const timeZone = Type.String({
  minLength: 1,
  maxLength: 64,
  default: "UTC",
  description: "The IANA time zone of the expression, such as Europe/Berlin.",
});
const webhook = Type.String({
  maxLength: 2048,
  description: "URL that is called with each of its jobs after it ends.",
});

const settings = {
  concurrencyPolicy: Type.Enum(["ALLOW", "FORBID", "REPLACE"], {
    default: "ALLOW",
    description:
      "What happens at an instant while a job of the schedule has not ended: ALLOW submits another one, FORBID " +
      "skips the run, REPLACE cancels the job and submits another one.",
  }),
  missedRunPolicy: Type.Enum(["SKIP", "RUN_ONCE", "RUN_ALL"], {
    default: "SKIP",
    description:
      "What happens to instants that passed while Freehold was not running: SKIP leaves them out, RUN_ONCE runs the " +
      "latest, RUN_ALL runs them all, at most the latest 50.",
  }),
  catchUpWindowMs: Type.Integer({
    minimum: 60_000,
    maximum: 604_800_000,
    default: 3_600_000,
    description: "Missed instants that are longer ago do not run; 1 minute to 7 days.",
  }),
};

const input = Type.Object(
  {},
  { description: "The input of its jobs: any JSON object of at most 64 KiB." },
);

const fields = { name, cron, timeZone: Type.Optional(timeZone), input };

const scheduleCreate = Type.Object(
  {
    endpointId: Type.String({ minLength: 1, description: "An endpoint with a queue." }),
    ...fields,
    labels: Type.Optional(labels),
    webhook: Type.Optional(webhook),
    policy: Type.Optional(policy),
    ...Type.Partial(Type.Object(settings)).properties,
    paused: Type.Optional(Type.Boolean({ default: false, description: "Create it paused." })),
  },
  { title: "ScheduleCreateInput", additionalProperties: false },
);
export type ScheduleCreate = Static<typeof scheduleCreate>;

const scheduleUpdate = Type.Partial(
  Type.Object({
    name,
    labels,
    cron,
    timeZone: withoutDefault(timeZone),
    input,
    webhook: Type.Union([webhook, Type.Null()], { description: "null for no webhook." }),
    policy,
    concurrencyPolicy: withoutDefault(settings.concurrencyPolicy),
    missedRunPolicy: withoutDefault(settings.missedRunPolicy),
    catchUpWindowMs: withoutDefault(settings.catchUpWindowMs),
  }),
  { title: "ScheduleUpdateInput", additionalProperties: false },
);
export type ScheduleUpdate = Static<typeof scheduleUpdate>;

export const scheduleRun = Type.Object(
  {
    n: Type.Integer({ description: "Its number among the runs of the schedule." }),
    trigger: Type.Enum(["SCHEDULE", "MANUAL"]),
    scheduledAt: { ...instant, description: "The instant of the schedule, or of the request." },
    startedAt: instant,
    outcome: Type.Enum(["SUBMITTED", "SKIPPED", "FAILED"], {
      description: "Whether it submitted a job. The job has a status of its own.",
    }),
    jobId: Type.Optional(Type.String()),
    reason: Type.Optional(Type.String({ description: "Why it submitted no job." })),
  },
  { title: "ScheduleRun" },
);
export type ScheduleRunView = Static<typeof scheduleRun>;

const summaryFields = {
  id: Type.String(),
  endpointId: Type.String(),
  name,
  labels: Type.Optional(labels),
  status: Type.Enum(["ACTIVE", "PAUSED", "ENDED"], {
    description: "ENDED if no instant is left.",
  }),
  cron,
  timeZone,
  webhook: Type.Optional(webhook),
  policy,
  ...settings,
  nextRuns: Type.Array(instant, { description: "The next instants, at most 5." }),
  lastRun: Type.Optional(scheduleRun),
  createdAt: instant,
  createdBy: Type.Optional(createdBy),
};

const scheduleSummary = Type.Object(summaryFields, { title: "ScheduleSummary" });
export type ScheduleSummary = Static<typeof scheduleSummary>;

const schedule = Type.Object({ ...summaryFields, input }, { title: "Schedule" });

const preview = Type.Object({ nextRuns: Type.Array(instant) }, { title: "SchedulePreview" });

const path = "/v1/schedules";
const onePath = `${path}/{scheduleId}` as const;
const answer = { status: 200, description: "The schedule.", schema: schedule } as const;

/** Their bodies have an input, which is stored as the client wrote it. */
export const scheduleInputOperations = {
  createSchedule: {
    method: "POST",
    path,
    tag: "Schedules",
    summary: "Create a schedule",
    description:
      "Submits a job to the endpoint at every instant of the expression. An account has at most 500 schedules. The " +
      "key also needs write permission for the queue.",
    needs: write,
    body: scheduleCreate,
    once: true,
    answer,
  },
  updateSchedule: {
    method: "PATCH",
    path: onePath,
    tag: "Schedules",
    summary: "Change a schedule",
    description: "A change applies from the next instant on.",
    needs: write,
    body: scheduleUpdate,
    answer,
  },
} as const satisfies Operations;

export const scheduleOperations = {
  listSchedules: {
    method: "GET",
    path,
    tag: "Schedules",
    summary: "List schedules",
    description: "The newest first, without their inputs.",
    needs: read,
    query: Type.Object({
      ...labeledList.properties,
      endpointId: Type.Optional(Type.String({ description: "Only schedules of this endpoint." })),
    }),
    answer: { status: 200, description: "The schedules.", schema: Type.Array(scheduleSummary) },
  },
  getSchedule: {
    method: "GET",
    path: onePath,
    tag: "Schedules",
    summary: "Read a schedule",
    needs: read,
    answer,
  },
  deleteSchedule: {
    method: "DELETE",
    path: onePath,
    tag: "Schedules",
    summary: "Delete a schedule",
    description: "Jobs that it submitted go on.",
    needs: write,
    answer: { status: 204, description: "The schedule is deleted." },
  },
  pauseSchedule: {
    method: "POST",
    path: `${onePath}/pause`,
    tag: "Schedules",
    summary: "Pause a schedule",
    needs: write,
    answer,
  },
  resumeSchedule: {
    method: "POST",
    path: `${onePath}/resume`,
    tag: "Schedules",
    summary: "Resume a paused schedule",
    description: "Instants of the pause do not run.",
    needs: write,
    answer,
  },
  runSchedule: {
    method: "POST",
    path: `${onePath}/run`,
    tag: "Schedules",
    summary: "Run a schedule now",
    description: "Submits a job, also while the schedule is paused or another job of it runs.",
    needs: write,
    once: true,
    answer: { status: 200, description: "The run.", schema: scheduleRun },
  },
  listScheduleRuns: {
    method: "GET",
    path: `${onePath}/runs`,
    tag: "Schedules",
    summary: "List the runs of a schedule",
    description: "The latest 50, the newest first.",
    needs: read,
    answer: { status: 200, description: "The runs.", schema: Type.Array(scheduleRun) },
  },
  previewSchedule: {
    method: "GET",
    path: "/v1/schedule-preview",
    tag: "Schedules",
    summary: "Preview the instants of a cron expression",
    needs: read,
    query: Type.Object({ cron, timeZone: Type.Optional(timeZone) }),
    answer: { status: 200, description: "The next 5 instants.", schema: preview },
  },
} as const satisfies Operations;
