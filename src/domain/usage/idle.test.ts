import assert from "node:assert/strict";
import { test } from "node:test";
import {
  dueWarning,
  type IdleUse,
  idleText,
  type MeasuredActivity,
  useOf,
  usualIdleRule,
} from "./idle.ts";

const rule = { minutes: 60, ...usualIdleRule };
const gpu = (gpuUtilPercent: number) => ({ index: 0, gpuUtilPercent, memoryUtilPercent: 0 });
const quiet: MeasuredActivity = {
  ms: 10_000,
  sample: { cpuPercent: 1, gpus: [gpu(0)] },
  gpuCount: 1,
  cpus: 4,
  networkBytes: 0,
  hasInput: false,
};

const table: [what: string, changes: Partial<MeasuredActivity>, use: IdleUse][] = [
  ["nothing is used", {}, "idle"],
  [
    "everything is at its limit",
    { networkBytes: 50_000, sample: { cpuPercent: 6.25, gpus: [gpu(5)] } },
    "idle",
  ],
  ["a GPU is used", { sample: { cpuPercent: 0, gpus: [gpu(6)] } }, "used"],
  [
    "one GPU of two is used",
    { gpuCount: 2, sample: { cpuPercent: 0, gpus: [gpu(0), gpu(90)] } },
    "used",
  ],
  ["the CPUs are used", { sample: { cpuPercent: 6.5, gpus: [gpu(0)] } }, "used"],
  ["one CPU of 64 is busy", { cpus: 64, sample: { cpuPercent: 1.6, gpus: [gpu(0)] } }, "used"],
  ["bytes pass", { networkBytes: 50_001 }, "used"],
  ["the same bytes pass in a longer time", { networkBytes: 50_001, ms: 20_000 }, "idle"],
  ["a command has input", { hasInput: true }, "used"],
  ["the CPUs were not measured", { sample: { cpuPercent: null, gpus: [gpu(0)] } }, "unknown"],
  ["a GPU was not measured", { gpuCount: 2 }, "unknown"],
  [
    "a GPU was not measured, and another is used",
    { gpuCount: 2, sample: { cpuPercent: null, gpus: [gpu(50)] } },
    "used",
  ],
];
for (const [what, changes, use] of table) {
  test(`${what}: ${use}`, () => assert.equal(useOf(rule, { ...quiet, ...changes }), use));
}

const MINUTE = 60_000;
const warnings: [minutes: number, before: number, now: number, leftMinutes: number | null][] = [
  [60, 29, 30, 30],
  [60, 30, 31, null],
  [60, 54, 55, 5],
  [60, 29, 56, 4],
  [60, 59, 60, null],
  [20, 0, 1, null],
  [20, 14, 15, 5],
  [5, 0, 1, null],
];
for (const [minutes, before, now, left] of warnings) {
  const what = left === null ? "no warning" : `a warning of ${left} min`;
  test(`a rule of ${minutes} min, between minutes ${before} and ${now}: ${what}`, () => {
    const passes = { before: before * MINUTE, now: now * MINUTE };
    const due = dueWarning({ ...rule, minutes }, 0, passes);
    assert.equal(due, left === null ? null : left * MINUTE);
  });
}

test("the reason says how little was used", () => {
  const own = { rule, from: "pod", project: null } as const;
  const text = idleText(own, 60 * MINUTE, { gpu: 2, cpu: 1 });
  assert.equal(
    text,
    "it was idle for 60 min: it used its GPUs at most 2%, its CPUs at most 1% of one",
  );
  assert.equal(
    idleText({ rule, from: "project", project: "vision" }, 90 * MINUTE, { gpu: null, cpu: 0 }),
    'it was idle for 90 min, by the rule of its project "vision": it used its CPUs at most 0% of one',
  );
});
