import assert from "node:assert/strict";
import { test } from "node:test";
import { diffWorkers, type Seen, type WantedWorker } from "./diff.ts";

const NOW = 1_000;
const worker: WantedWorker = {
  id: "w",
  desired: "run",
  observed: "running",
  held: 0,
};
const running: Seen = {
  id: "w",
  state: "running",
  startedAt: 5,
  endedAt: null,
  exitCode: null,
  signal: null,
};
const ended: Seen = { ...running, state: "ended", endedAt: 900, exitCode: 3 };

const rows: [string, Partial<WantedWorker> | null, Seen | null, string[]][] = [
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
  ["a draining one finishes its jobs", { desired: "drain", held: 2 }, running, []],
  ["then it is stopped", { desired: "drain" }, running, ["stop"]],
  ["one that must end does not finish", { desired: "end", held: 2 }, running, ["stop"]],
  ["a stray is stopped", null, running, ["stopStray"]],
  ["an ended stray is nothing", null, ended, []],
];

for (const [name, wanted, seen, steps] of rows) {
  test(name, () => {
    const plan = diffWorkers(wanted ? [{ ...worker, ...wanted }] : [], seen ? [seen] : [], NOW);
    assert.deepEqual(
      plan.map((step) => step.do),
      steps,
    );
  });
}
