// A schedule as /v1/schedules shows it.

import type {
  ScheduleRunView,
  ScheduleSummary,
} from "../../../contract/rest-v1/schedule/schedule.ts";
import type { Schedule, ScheduleRun } from "../../../domain/schedule/schedule.ts";
import { joinTexts } from "../../../flows/payload/join-text.ts";
import type { ReadText } from "../../../flows/payload/read-text.ts";
import type { ScheduleWithRuns } from "../../../flows/schedule/schedule-facts.ts";
import { policyOf } from "../../management/job/job-policy.ts";
import { instant } from "../../management/serve/instant.ts";
import { labelsRead } from "../../management/serve/labels.ts";

export function scheduleSummary({
  schedule,
  nextRuns,
  lastRun,
}: ScheduleWithRuns): ScheduleSummary {
  const { id, endpointId, name, labels, spec, createdAt, owner } = schedule;
  const { webhook, policy, ...settings } = spec;
  return {
    id,
    endpointId,
    name,
    ...labelsRead({ labels }),
    status: statusOf(schedule),
    ...settings,
    ...(webhook !== null && { webhook }),
    policy: policyOf(policy),
    nextRuns: nextRuns.map(instant),
    ...(lastRun && { lastRun: runRead(lastRun) }),
    createdAt: instant(createdAt),
    ...(owner && { createdBy: owner }),
  };
}

/** The schedule with its input as it was received. */
export function scheduleText(facts: ScheduleWithRuns): ReadText {
  const summary = JSON.stringify(scheduleSummary(facts)).slice(0, -1);
  return joinTexts(summary, ',"input":', facts.schedule.input, "}");
}

function statusOf({ pausedAt, nextRunAt }: Schedule): ScheduleSummary["status"] {
  if (pausedAt !== null) return "PAUSED";
  return nextRunAt === null ? "ENDED" : "ACTIVE";
}

export function runRead(run: ScheduleRun): ScheduleRunView {
  const { n, trigger, scheduledAt, startedAt, outcome, jobId, reason } = run;
  return {
    n,
    trigger,
    scheduledAt: instant(scheduledAt),
    startedAt: instant(startedAt),
    outcome,
    ...(jobId !== null && { jobId }),
    ...(reason !== null && { reason }),
  };
}
