// The explanation of a schedule's state: when it runs next, or why it does not, and what became of its last run.

import { durationText } from "../duration.ts";
import type { Schedule, ScheduleRun } from "../schedule/schedule.ts";
import type { Answer, Evidence } from "./answer.ts";

export interface ScheduleFacts {
  schedule: Schedule;
  lastRun: ScheduleRun | null;
}

export function whySchedule({ schedule, lastRun }: ScheduleFacts, now: number): Answer {
  const { nextRunAt, pausedAt, spec } = schedule;
  const evidence: Evidence = {
    ...(nextRunAt !== null && { nextRunAt }),
    ...(lastRun && { lastRun }),
  };
  const last = lastRun ? ` ${lastSentence(lastRun)}` : "";
  if (pausedAt !== null) {
    const sentence = `The schedule was paused ${ago(pausedAt, now)}, so it submits no jobs.${last}`;
    const next = "Resume it; times that pass until then do not run.";
    return { code: "schedule_paused", sentence, evidence, next };
  }
  if (nextRunAt === null) {
    const sentence = `The expression ${spec.cron} has no further time.${last}`;
    const next = "Change its expression, or delete it.";
    return { code: "schedule_ended", sentence, evidence, next };
  }
  const next = nextSentence(nextRunAt, now);
  if (lastRun?.outcome === "FAILED") {
    const sentence = `${lastSentence(lastRun)} ${next}`;
    const fix = "Remove the cause, then run it now to make up for the run.";
    return { code: "schedule_failed", sentence, evidence, next: fix };
  }
  if (lastRun?.outcome === "SKIPPED") {
    const sentence = `${lastSentence(lastRun)} ${next}`;
    const fix = "To run it all the same, run it now, or change its policies.";
    return { code: "schedule_skipped", sentence, evidence, next: fix };
  }
  return { code: "schedule_waiting", sentence: `${next}${last}`, evidence, next: null };
}

function nextSentence(nextRunAt: number, now: number): string {
  if (nextRunAt <= now) return "The next run is due now.";
  return `The next run is in ${durationText(nextRunAt - now)}, at ${instant(nextRunAt)}.`;
}

function lastSentence({ scheduledAt, outcome, jobId, reason }: ScheduleRun): string {
  const run = `The last run, of ${instant(scheduledAt)},`;
  if (outcome === "SUBMITTED") return `${run} submitted job ${jobId}.`;
  const what = outcome === "FAILED" ? "could not submit a job" : "was skipped";
  return reason === null ? `${run} ${what}.` : `${run} ${what}: ${reason}`;
}

const ago = (at: number, now: number) => `${durationText(now - at)} ago`;
const instant = (at: number) => new Date(at).toISOString();
