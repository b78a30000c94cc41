// Which instants of a schedule run after a delay, an outage or a jump of the clock.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCron } from "../../base/cron/cron.ts";
import { HOUR_MS } from "../../base/units.ts";
import { missedSentence, planRuns } from "./plan-runs.ts";
import type { MissedRunPolicy, ScheduleSpec } from "./schedule.ts";

const base: Omit<ScheduleSpec, "cron" | "missedRunPolicy"> = {
  timeZone: "UTC",
  webhook: null,
  policy: {},
  concurrencyPolicy: "ALLOW",
  catchUpWindowMs: HOUR_MS,
};

// policy, due at, now, the instants that run, how many are missed, the next one. Hours and minutes of one day.
const cases: [MissedRunPolicy, string, string, string[], number, string][] = [
  ["SKIP", "10:00", "10:00", ["10:00"], 0, "10:10"],
  ["SKIP", "10:00", "10:00:59.999", ["10:00"], 0, "10:10"],
  ["SKIP", "10:00", "10:01", [], 1, "10:10"],
  ["SKIP", "10:00", "10:40:05", ["10:40"], 4, "10:50"],
  ["SKIP", "10:00", "14:05", [], 25, "14:10"],
  ["RUN_ONCE", "10:00", "10:00", ["10:00"], 0, "10:10"],
  ["RUN_ONCE", "10:00", "10:25", ["10:20"], 2, "10:30"],
  ["RUN_ONCE", "10:00", "14:05", ["14:00"], 24, "14:10"],
  ["RUN_ALL", "10:00", "10:25", ["10:00", "10:10", "10:20"], 0, "10:30"],
  [
    "RUN_ALL",
    "10:00",
    "14:05",
    ["13:10", "13:20", "13:30", "13:40", "13:50", "14:00"],
    19,
    "14:10",
  ],
];

const at = (time: string) => Date.parse(`2027-01-30T${time}Z`);

for (const [missedRunPolicy, due, now, runs, missed, next] of cases) {
  test(`${missedRunPolicy}: due at ${due}, now ${now}`, async () => {
    const spec = { ...base, missedRunPolicy, cron: "*/10 * * * *" };
    const times = await parseCron(spec.cron, spec.timeZone);
    const plan = planRuns({ spec, nextRunAt: at(due) }, times, at(now));
    assert.deepEqual(plan.due, runs.map(at));
    assert.equal(plan.missed?.count ?? 0, missed);
    assert.equal(plan.nextRunAt, at(next));
  });
}

test("an outage of a year is planned at once, and runs at most 50 instants", async () => {
  const spec: ScheduleSpec = {
    ...base,
    cron: "* * * * *",
    missedRunPolicy: "RUN_ALL",
    catchUpWindowMs: 7 * 24 * HOUR_MS,
  };
  const times = await parseCron(spec.cron, spec.timeZone);
  const now = at("10:00:30");
  const plan = planRuns({ spec, nextRunAt: now - 365 * 24 * HOUR_MS }, times, now);
  assert.deepEqual([plan.due.length, plan.due[0], plan.due.at(-1)], [50, at("09:11"), at("10:00")]);
  assert.match(missedSentence(plan.missed!), /^Freehold was not running at 100 or more times/);
});

test("an expression whose last instant has passed is not due again", () => {
  const times = { next: () => null, previous: (until: number) => [until] };
  const spec: ScheduleSpec = { ...base, cron: "", missedRunPolicy: "SKIP" };
  const plan = planRuns({ spec, nextRunAt: at("10:00") }, times, at("10:00"));
  assert.deepEqual(plan, { due: [at("10:00")], missed: null, nextRunAt: null });
});
