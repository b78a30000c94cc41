import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyFleet, type FleetRow, fleetOf, ledger, planText } from "../../../test/samples/fleet.ts";
import { census, type Fleet, ready, total } from "./fleet.ts";
import { decideRollOut } from "./roll-out.ts";

// The endpoint is at version 3, so v1 and v2 are outdated. "start" is a replacement.
const examples = `
scaler                        | queue           | workers                            | plan                               | because
QUEUE_DELAY 4, 0-3, idle 60   | -               | idle@9 busy                        | no_roll_out                        | all are of version 3
QUEUE_DELAY 4, 0-3, idle 60   | -               | v2/idle@9                          | start 1, replacing, wake 51s       | what is warm stays warm
QUEUE_DELAY 4, 0-3, idle 60   | -               | v2/idle@60                         | drain a:outdated, replacing        | what would go anyway just goes
QUEUE_DELAY 4, 0-3, idle 60   | -               | v2/idle@9 v2/idle@3 v2/idle@1      | start 1, drain a:outdated b:outdated, replacing, wake 59s | one is enough without load
QUEUE_DELAY 4, 0-3, idle 60   | -               | v2/idle@9 starting@1               | replacing, wake 51s                | the old one serves meanwhile
QUEUE_DELAY 4, 0-3, idle 60   | -               | v2/idle@9 idle@1                   | drain a:outdated, replacing, wake 51s | relieved
QUEUE_DELAY 4, 1-1, idle 5    | -               | v2/idle@99                         | start 1, replacing                 | one above workersMax
QUEUE_DELAY 4, 1-1, idle 5    | 1 run           | v2/busy starting@1                 | replacing                          | it takes jobs until then
QUEUE_DELAY 4, 1-1, idle 5    | 1 run           | v2/busy idle@0                     | drain a:outdated, replacing        | finishes its job, takes no more
QUEUE_DELAY 4, 1-1, idle 5    | -               | v2/draining busy                   | replacing                          | nothing left to decide
QUEUE_DELAY 4, 3-3, idle 5    | -               | v2/idle@9 v2/idle@9 v2/idle@9      | start 1, replacing                 | place for one
QUEUE_DELAY 4, 3-3, idle 5    | -               | v2/idle@9 v2/idle@9 v2/idle@9 idle@0 | drain a:outdated, waits_for_place | one for one, so never below 3
QUEUE_DELAY 4, 3-3, idle 5    | -               | v2/idle@9 v2/idle@9 idle@0         | start 1, replacing                 | and the next
QUEUE_DELAY 4, 3-9, idle 5    | -               | v2/idle@9 v2/idle@9 v2/idle@9      | start 1, replacing                 | the first alone, room or not
QUEUE_DELAY 4, 3-9, idle 5    | -               | v2/idle@9 v2/idle@9 v2/idle@9 idle@0 | start 2, drain a:outdated, replacing | it became ready: the others
QUEUE_DELAY 4, 0-9, idle 5    | 4 run           | v2/busy v2/busy v2/busy v2/busy idle@0 | start 3, drain a:outdated, replacing | 4 in use: one relieved
QUEUE_DELAY 4, 0-9, idle 5    | 4 run           | v2/draining v2/busy v2/busy v2/busy idle@0 starting starting starting | replacing | its last job is load that comes again
QUEUE_DELAY 4, 0-9, idle 5    | 1 run           | v2/busy idle@1 idle@1              | drain a:outdated, replacing        | enough new ones
QUEUE_DELAY 4, 0-9, idle 5    | 2 run           | v2/busy v2/idle@1 v2/busy busy     | start 2, drain b:outdated, replacing, wake 4s | idle before busy
QUEUE_DELAY 4, 0-9, idle 5    | 3 wait 1s       | v2/idle@1 v2/idle@1 idle@0         | start 2, replacing, wake 4s        | jobs wait for them all
QUEUE_DELAY 4, 0-3, idle 60   | -               | v1/idle@9 v2/starting@2            | start 1, drain b:outdated, replacing, wake 51s | a second release at once
QUEUE_DELAY 4, 1-1, idle 60   | -               | v1/idle@9 v2/draining              | waits_for_place, wake 51s          | until the useless one is gone
QUEUE_DELAY 4, 1-1, idle 60   | 1 run           | v1/draining v2/idle@9              | waits_for_place, wake 51s          | v1 has its last job, v2 serves
QUEUE_DELAY 4, 0-0, idle 5    | 1 run           | v2/busy                            | drain a:outdated, replacing        | paused
`;

const backingOff = `
backOff        | scaler                      | queue | workers              | plan                               | because
backing_off 2s | QUEUE_DELAY 4, 1-1, idle 5  | 1 run | v2/busy              | backing_off, wake 2s               | version 3 crashes: v2 goes on
crash_loop 0s  | QUEUE_DELAY 4, 1-1, idle 5  | 1 run | v2/busy              | start 1, replacing                 | and is tried again
crash_loop -1s | QUEUE_DELAY 4, 1-1, idle 5  | 1 run | v2/busy starting@1   | crash_loop                         | one try at a time
crash_loop 9s  | QUEUE_DELAY 4, 1-1, idle 5  | -     | v2/idle@99           | crash_loop, wake 9s                | for as long as it takes
`;

for (const table of [examples, backingOff]) {
  for (const row of ledger<FleetRow & { plan: string; because: string }>(table)) {
    test(`${row.scaler}: ${row.queue}: [${row.workers}]: ${row.because}`, () => {
      const { startReplacements: start, drain, wakeAt, code } = decideRollOut(fleetOf(row));
      assert.equal(planText({ start, drain, wakeAt }, code), row.plan);
    });
  }
}

const rule = (name: string, holds: (fleet: Fleet) => void) =>
  test(name, () => fc.assert(fc.property(anyFleet, holds), { numRuns: 2_000 }));

const relieved = (fleet: Fleet) => {
  const ids = decideRollOut(fleet).drain.map(({ id }) => id);
  return fleet.workers.filter(({ id }) => ids.includes(id));
};

rule("only outdated workers are drained, the idle before the busy", (fleet) => {
  const leaving = relieved(fleet);
  assert.ok(leaving.every(({ version }) => version !== fleet.version));
  if (!leaving.some(({ state }) => state === "busy")) return;
  const idle = fleet.workers.filter(
    ({ state, version }) => state === "idle" && version !== fleet.version,
  );
  assert.ok(idle.every((worker) => leaving.includes(worker)));
});

rule("workers able to take jobs do not fall below workersMin, nor to zero", (fleet) => {
  const leaving = relieved(fleet);
  if (!leaving.some(({ state }) => state === "idle" || state === "busy")) return;
  const before = ready(census(fleet).all);
  const after = ready(
    census({ ...fleet, workers: fleet.workers.filter((worker) => !leaving.includes(worker)) }).all,
  );
  const { workersMin, workersMax } = fleet.policy;
  assert.ok(after >= Math.min(before, workersMin, workersMax));
  if (leaving.some(({ state }) => state === "busy") && workersMax > 0) assert.ok(after > 0);
});

rule("at most one worker exceeds workersMax, and only to replace an outdated one", (fleet) => {
  const { startReplacements } = decideRollOut(fleet);
  const { all, outdated } = census(fleet);
  if (startReplacements === 0) return;
  assert.ok(total(all) + startReplacements <= fleet.policy.workersMax + 1);
  assert.ok(ready(outdated) > 0);
});

rule("until one worker of the new version is ready, only one starts", (fleet) => {
  const { current } = census(fleet);
  if (ready(current) > 0) return;
  assert.ok(
    decideRollOut(fleet).startReplacements + current.starting <= Math.max(1, current.starting),
  );
});

rule("without outdated workers there is nothing to do", (fleet) => {
  const workers = fleet.workers.map((worker) => ({ ...worker, version: fleet.version }));
  assert.deepEqual(decideRollOut({ ...fleet, workers }), {
    drain: [],
    startReplacements: 0,
    code: "no_roll_out",
    wakeAt: null,
  });
});
