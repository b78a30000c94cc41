import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS } from "../../base/units.ts";
import type { Schedule, ScheduleRun } from "../schedule/schedule.ts";
import { whySchedule } from "./schedule.ts";

const NOW = Date.parse("2027-01-30T10:00:00Z");

const scheduleOf = (changes: Partial<Schedule> = {}): Schedule => ({
  id: "s",
  accountId: "a",
  endpointId: "e",
  name: "nightly",
  labels: {},
  input: "{}",
  pausedAt: null,
  nextRunAt: NOW + HOUR_MS,
  lastRunAt: null,
  runs: 0,
  revision: 1,
  createdAt: 0,
  spec: {
    cron: "0 * * * *",
    timeZone: "UTC",
    webhook: null,
    policy: {},
    concurrencyPolicy: "ALLOW",
    missedRunPolicy: "SKIP",
    catchUpWindowMs: HOUR_MS,
  },
  ...changes,
});

const run = (changes: Partial<ScheduleRun>): ScheduleRun => ({
  scheduleId: "s",
  n: 1,
  trigger: "SCHEDULE",
  scheduledAt: NOW,
  startedAt: NOW,
  outcome: "SUBMITTED",
  jobId: "j1",
  reason: null,
  ...changes,
});

const examples = [
  [scheduleOf(), null, "schedule_waiting", /^The next run is in 1 h|^The next run is in 60 min/],
  [scheduleOf({ nextRunAt: NOW }), null, "schedule_waiting", /due now/],
  [scheduleOf(), run({}), "schedule_waiting", /submitted job j1\.$/],
  [
    scheduleOf({ pausedAt: NOW - HOUR_MS, nextRunAt: null }),
    null,
    "schedule_paused",
    /paused 60 min ago/,
  ],
  [scheduleOf({ nextRunAt: null }), null, "schedule_ended", /0 \* \* \* \* has no further time/],
  [
    scheduleOf(),
    run({ outcome: "FAILED", jobId: null, reason: "The disk is full." }),
    "schedule_failed",
    /could not submit a job: The disk is full\. The next run is in/,
  ],
  [
    scheduleOf(),
    run({ outcome: "SKIPPED", jobId: null, reason: "Job j0 of an earlier run had not ended." }),
    "schedule_skipped",
    /was skipped: Job j0 of an earlier run had not ended\. The next run/,
  ],
] as const;

for (const [schedule, lastRun, code, sentence] of examples) {
  test(`${code}: ${sentence}`, () => {
    const answer = whySchedule({ schedule, lastRun }, NOW);
    assert.equal(answer.code, code);
    assert.match(answer.sentence, sentence);
  });
}
