import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyFleet, type FleetRow, fleetOf, ledger, planText } from "../../../test/samples/fleet.ts";
import { capacity, census, type Fleet, type FleetWorker, total } from "./fleet.ts";
import { decideFleet } from "./fleet-plan.ts";

const examples = `
scaler                        | queue            | workers                 | plan                                  | because
QUEUE_DELAY 4, 0-3, idle 5    | 1 wait 0s        |                         | start 1, first_worker                 | no roll-out: scaling alone
QUEUE_DELAY 4, 0-3, idle 5    | -                | idle@1                  | enough, wake 4s                       | and nothing to do
QUEUE_DELAY 4, 1-1, idle 5    | -                | v2/idle@99              | start 1, replacing                    | roll-out alone
QUEUE_DELAY 4, 1-1, idle 5    | -                | v2/idle@99 idle@0       | drain a:outdated, replacing           | then the old one goes
QUEUE_DELAY 4, 1-1, idle 5    | 1 wait 9s, 1 run | v2/busy starting@1      | help_under_way                        | one above workersMax is no surplus
QUEUE_DELAY 4, 1-1, idle 5    | 1 wait 9s, 1 run | v2/draining             | start 1, first_worker                 | a long last job keeps nobody out
QUEUE_DELAY 4, 1-1, idle 5    | -                | v2/starting@1           | start 1, drain a:outdated, workers_min | a release before the first was ready
QUEUE_DELAY 4, 0-1, idle 5    | 1 wait 1s        | v2/starting@1           | start 1, drain a:outdated, first_worker | the same for a job
QUEUE_DELAY 4, 0-3, idle 5    | 3 wait 4s, 1 run | v2/busy                 | start 1, queue_delay                  | one start serves both
REQUEST_COUNT 1, 0-5, idle 5  | 3 wait 1s, 1 run | v2/busy                 | start 3, request_count                | the greater of both
QUEUE_DELAY 4, 0-1, idle 5    | 2 run            | v2/busy v2/busy         | drain a:outdated, waits_for_place     | workersMax lowered and a release
`;

for (const row of ledger<FleetRow & { plan: string; because: string }>(examples)) {
  test(`${row.scaler}: ${row.queue}: [${row.workers}]: ${row.because}`, () => {
    const plan = decideFleet(fleetOf(row));
    assert.equal(planText(plan, plan.reason.code), row.plan);
  });
}

const rule = (name: string, holds: (fleet: Fleet) => void, numRuns = 2_000) =>
  test(name, () => fc.assert(fc.property(anyFleet, holds), { numRuns }));

/** The fleet once the plan is carried out and nothing else has happened. */
function carriedOut(fleet: Fleet): Fleet {
  const { start, drain } = decideFleet(fleet);
  const leaving = new Set(drain.map(({ id }) => id));
  const begun = Array.from({ length: start }, (_, index): FleetWorker => {
    const id = `${fleet.workers.length + index}`;
    return { ...fresh, id, version: fleet.version, startedAt: fleet.now };
  });
  const workers = fleet.workers.map((worker) =>
    leaving.has(worker.id) ? { ...worker, state: "draining" as const } : worker,
  );
  return { ...fleet, workers: [...workers, ...begun] };
}

const fresh = { state: "starting", readyAt: null, idleSince: null } as const;

rule("the answer stays the same until wakeAt", (fleet) => {
  const { start, drain, wakeAt } = decideFleet(fleet);
  assert.ok(wakeAt === null || wakeAt > fleet.now);
  const until = wakeAt ?? fleet.now + 100_000;
  for (const now of [fleet.now + 1, Math.floor((fleet.now + until) / 2), until - 1]) {
    if (now < fleet.now) continue;
    const later = decideFleet({ ...fleet, now });
    assert.deepEqual({ start: later.start, drain: later.drain }, { start, drain });
  }
});

rule("repeated plans converge", (fleet) => {
  let next = fleet;
  for (let turn = 0; turn < 8; turn++) {
    const { start, drain } = decideFleet(next);
    if (start === 0 && drain.length === 0) return;
    next = carriedOut(next);
  }
  assert.fail("still restless after eight turns");
});

rule("never more than workersMax, and one beside an outdated worker", (fleet) => {
  const { start } = decideFleet(fleet);
  const { all, outdated } = census(fleet);
  const max = fleet.policy.workersMax + (total(outdated) > 0 ? 1 : 0);
  if (start > 0) assert.ok(total(all) + start <= max);
  const after = census(carriedOut(fleet));
  assert.ok(capacity(after.all) <= max || fleet.policy.workersMax === 0);
  if (fleet.policy.workersMax === 0) assert.equal(capacity(after.all), 0);
});

rule("never below workersMin, if the back-off and the capacity allow it", (fleet) => {
  const { all, outdated } = census(carriedOut(fleet));
  const min = Math.min(fleet.policy.workersMin, fleet.policy.workersMax);
  const full = total(all) >= fleet.policy.workersMax + (total(outdated) > 0 ? 1 : 0);
  if (fleet.backOff.verdict === "ok") assert.ok(capacity(all) >= min || full);
});

rule("a job finds a worker, ready or starting, unless a limit forbids it", (fleet) => {
  const { all, outdated } = census(carriedOut(fleet));
  if (fleet.queue.waiting === 0 || fleet.backOff.verdict !== "ok") return;
  const full = total(all) >= fleet.policy.workersMax + (total(outdated) > 0 ? 1 : 0);
  assert.ok(capacity(all) > 0 || full || fleet.policy.workersMax === 0);
});

rule("a version that crashes ends no outdated worker", (fleet) => {
  const workers = fleet.workers.filter(({ version }) => version !== fleet.version);
  const backOff = {
    allowStartAt: fleet.now + 60_000,
    consecutive: 9,
    verdict: "crash_loop" as const,
  };
  const policy = { ...fleet.policy, workersMin: 1, workersMax: Math.max(9, workers.length) };
  const serving = census({ ...fleet, workers }).all;
  if (serving.idle + serving.busy === 0) return;
  const after = census(carriedOut({ ...fleet, workers, backOff, policy })).all;
  assert.ok(after.idle + after.busy >= Math.max(1, serving.busy));
});
