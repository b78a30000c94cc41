import assert from "node:assert/strict";
import { test } from "node:test";
import { type DesiredWorker, diffWorkers, type WorkerObservation } from "./diff.ts";

const NOW = 1_000;
const worker: DesiredWorker = {
  id: "w",
  desired: "run",
  observed: "running",
  jobsHeld: 0,
};
const running: WorkerObservation = {
  id: "w",
  state: "running",
  startedAt: 5,
  endedAt: null,
  exitCode: null,
  signal: null,
};
const ended: WorkerObservation = { ...running, state: "ended", endedAt: 900, exitCode: 3 };

const rows: [string, Partial<DesiredWorker> | null, WorkerObservation | null, string[]][] = [
  ["a new worker is started", { observed: "new" }, null, ["start"]],
  ["one that runs already is noted", { observed: "new" }, running, ["noteStarted"]],
  ["one that runs as wanted is left alone", {}, running, []],
  ["one that ended is noted", {}, ended, ["noteEnded"]],
  ["one that has vanished is noted", {}, null, ["noteEnded"]],
  [
    "one called off before its start never starts",
    { observed: "new", desired: "drain" },
    null,
    ["noteEnded"],
  ],
  ["a draining one finishes its jobs", { desired: "drain", jobsHeld: 2 }, running, []],
  ["then it is stopped", { desired: "drain" }, running, ["stop"]],
  ["one that must end does not finish", { desired: "end", jobsHeld: 2 }, running, ["stop"]],
  ["a stray is stopped", null, running, ["stopStray"]],
  ["an ended stray is nothing", null, ended, []],
];

for (const [name, desiredWorkers, observation, steps] of rows) {
  test(name, () => {
    const plan = diffWorkers(
      desiredWorkers ? [{ ...worker, ...desiredWorkers }] : [],
      observation ? [observation] : [],
      NOW,
    );
    assert.deepEqual(
      plan.map((step) => step.do),
      steps,
    );
  });
}
