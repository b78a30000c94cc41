// Routes of /v1/schedules.

import type { FastifyInstance, FastifyReply } from "fastify";
import { HOUR_MS } from "../../../base/units.ts";
import {
  type ScheduleCreate,
  type ScheduleUpdate,
  scheduleInputOperations,
  scheduleOperations,
} from "../../../contract/rest-v1/schedule/schedule.ts";
import { covers } from "../../../domain/access.ts";
import { type ApiKey, creatorOf } from "../../../domain/account.ts";
import { Fault } from "../../../domain/fault.ts";
import { noLabels } from "../../../domain/label/labels.ts";
import type { Schedule, ScheduleSpec } from "../../../domain/schedule/schedule.ts";
import type { SubmitDeps } from "../../../flows/job/submit.ts";
import { ownedBy } from "../../../flows/member/owner.ts";
import { cronTimes, nextInstants } from "../../../flows/schedule/cron-times.ts";
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  readRuns,
  readSchedule,
  readSchedules,
  runSchedule,
} from "../../../flows/schedule/schedule.ts";
import { MAX_SHOWN, scheduleFacts } from "../../../flows/schedule/schedule-facts.ts";
import type { BodyRooms } from "../../http/body/receive.ts";
import { jobPolicyOf } from "../../management/job/job-policy.ts";
import { send } from "../../management/job/send.ts";
import { readWebhook } from "../../management/job/submission.ts";
import { instant } from "../../management/serve/instant.ts";
import { keepInput } from "../../management/serve/keep-input.ts";
import { labeledAs } from "../../management/serve/labels.ts";
import { serveOperations } from "../../management/serve/serve.ts";
import type { Whole } from "../../management/serve/take-fields.ts";
import { takeFields } from "../../management/serve/take-fields.ts";
import { requireEndpointAccess } from "../job/jobs.ts";
import { runRead, scheduleSummary, scheduleText } from "./schedule-view.ts";

interface Deps extends SubmitDeps {
  bodyRooms: BodyRooms;
}

export function scheduleRoutes(app: FastifyInstance, deps: Deps): void {
  const shown = async (reply: FastifyReply, schedule: Schedule) =>
    send(reply, scheduleText(await scheduleFacts(deps, schedule)));
  app.register(async (scope) => {
    keepInput(scope, deps.bodyRooms);
    serveOperations(scope, scheduleInputOperations, {
      async createSchedule({ key, body, once, reply }) {
        requireQueueWrite(key, body.endpointId);
        const { endpointId, name, labels = noLabels, paused = false } = body;
        const input = reply.request.inputText!;
        const settings = { endpointId, name, labels, spec: specOf(body), input, paused };
        const schedule = await createSchedule(deps, { ...creatorOf(key), ...settings, once });
        return shown(reply, schedule);
      },
      async updateSchedule({ accountId, key, params, body, reply }) {
        const { scheduleId } = params;
        await requireWritable(deps, accountId, key, scheduleId);
        const { inputText } = reply.request;
        const changes = { ...changesOf(body), ...(inputText !== null && { input: inputText }) };
        return shown(reply, await changeSchedule(deps, accountId, scheduleId, changes));
      },
    });
  });
  const move = async (
    { accountId, key, params, reply }: Targeted,
    paused: boolean,
  ): Promise<FastifyReply> => {
    await requireWritable(deps, accountId, key, params.scheduleId);
    return shown(reply, await changeSchedule(deps, accountId, params.scheduleId, { paused }));
  };
  serveOperations(app, scheduleOperations, {
    async listSchedules({ accountId, key, query }) {
      const all = await readSchedules(deps, accountId);
      const owned = ownedBy(all, query.createdBy, key);
      const schedules = labeledAs(query, owned).filter(
        ({ endpointId }) =>
          hasAccess(key, endpointId) && (query.endpointId ?? endpointId) === endpointId,
      );
      const facts = await Promise.all(schedules.map((each) => scheduleFacts(deps, each)));
      return facts.map(scheduleSummary);
    },
    async getSchedule({ accountId, key, params, reply }) {
      return shown(reply, await readable(deps, accountId, key, params.scheduleId));
    },
    async deleteSchedule({ accountId, key, params }) {
      await requireWritable(deps, accountId, key, params.scheduleId);
      await deleteSchedule(deps, accountId, params.scheduleId);
    },
    pauseSchedule: (request) => move(request, true),
    resumeSchedule: (request) => move(request, false),
    async runSchedule({ accountId, key, params, once }) {
      await requireWritable(deps, accountId, key, params.scheduleId);
      return runRead(await runSchedule(deps, accountId, params.scheduleId, once));
    },
    async listScheduleRuns({ accountId, key, params }) {
      await readable(deps, accountId, key, params.scheduleId);
      return (await readRuns(deps, accountId, params.scheduleId)).map(runRead);
    },
    async previewSchedule({ query }) {
      const { cron = "", timeZone = "UTC" } = query as Partial<typeof query>;
      const now = deps.clock.now();
      const times = await cronTimes({ cron, timeZone }, now, "invalid_query");
      return { nextRuns: nextInstants(times, now, MAX_SHOWN).map(instant) };
    },
  });
}

interface Targeted {
  accountId: string;
  key: ApiKey;
  params: { scheduleId: string };
  reply: FastifyReply;
}

async function readable(deps: Deps, accountId: string, key: ApiKey, id: string) {
  const schedule = await readSchedule(deps, accountId, id);
  requireEndpointAccess(key, schedule.endpointId);
  return schedule;
}

/** A schedule submits jobs, so its writer must be allowed to. */
async function requireWritable(deps: Deps, accountId: string, key: ApiKey, id: string) {
  requireQueueWrite(key, (await readSchedule(deps, accountId, id)).endpointId);
}

function requireQueueWrite(key: ApiKey, endpointId: string): void {
  requireEndpointAccess(key, endpointId);
  if (covers(key.permissions.queue, "write")) return;
  const detail = "A schedule submits jobs, so this also needs write permission for the queue.";
  throw new Fault("forbidden", { detail });
}

function hasAccess({ permissions }: ApiKey, endpointId: string): boolean {
  return permissions.endpoints?.includes(endpointId) ?? true;
}

const fieldsBesideSpec = {
  endpointId: true,
  name: true,
  labels: true,
  input: true,
  paused: true,
} as const;

function specOf(body: ScheduleCreate): ScheduleSpec {
  const [, fields] = takeFields(body, fieldsBesideSpec);
  const { cron, timeZone = "UTC", webhook, policy = {}, ...others } = fields;
  const {
    concurrencyPolicy = "ALLOW",
    missedRunPolicy = "SKIP",
    catchUpWindowMs = HOUR_MS,
    ...rest
  } = others;
  rest satisfies Record<string, never>;
  return {
    cron,
    timeZone,
    concurrencyPolicy,
    missedRunPolicy,
    catchUpWindowMs,
    webhook: webhook === undefined ? null : readWebhook(webhook),
    policy: jobPolicyOf(policy),
  };
}

function changesOf({ name, labels, input: _, webhook, policy, ...settings }: ScheduleUpdate) {
  settings satisfies Whole<typeof settings, ScheduleSpec>;
  const spec: Partial<ScheduleSpec> = {
    ...settings,
    ...(webhook !== undefined && { webhook: webhook === null ? null : readWebhook(webhook) }),
    ...(policy !== undefined && { policy: jobPolicyOf(policy) }),
  };
  return { ...(name !== undefined && { name }), ...(labels && { labels }), spec };
}
