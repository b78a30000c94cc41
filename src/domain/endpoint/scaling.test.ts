import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyFleet, type FleetRow, fleetOf, ledger, planText } from "../../../test/samples/fleet.ts";
import { capacity, census, type Fleet, idleTimeEndsAt, ready, total } from "./fleet.ts";
import { decideScale } from "./scaling.ts";

const queueDelay = `
scaler                     | queue           | workers             | plan                                    | because
QUEUE_DELAY 4, 0-3, idle 5 | -               |                     | enough                                  | nobody needed, nobody there
QUEUE_DELAY 4, 2-3, idle 5 | -               |                     | start 2, workers_min                    | the minimum needs no job
QUEUE_DELAY 4, 2-3, idle 5 | -               | starting            | start 1, workers_min                    | one of two is on its way
QUEUE_DELAY 4, 0-3, idle 5 | 1 wait 0s       |                     | start 1, first_worker                   | nobody there: at once
QUEUE_DELAY 4, 0-3, idle 5 | 99 wait 60s     |                     | start 1, first_worker                   | the first comes alone
QUEUE_DELAY 4, 0-3, idle 5 | 1 wait 9s       | starting@1          | help_under_way                          | one job, one on its way
QUEUE_DELAY 4, 0-3, idle 5 | 1 wait 9s, 1 run | busy starting@1    | help_under_way                          | the same beside a busy one
QUEUE_DELAY 4, 0-3, idle 5 | 1 wait 9s, 1 run | busy idle@1        | help_under_way                          | an idle one will take it
QUEUE_DELAY 4, 0-3, idle 5 | 1 wait 1s, 1 run | busy               | delay_running, wake 3s                  | it has not waited long enough
QUEUE_DELAY 4, 0-3, idle 5 | 1 wait 4s, 1 run | busy               | start 1, queue_delay                    | now it has
QUEUE_DELAY 4, 0-3, idle 5 | 3 wait 9s, 1 run | busy starting@1    | delay_running, wake 3s                  | one start per delay
QUEUE_DELAY 4, 0-3, idle 5 | 3 wait 9s, 1 run | busy starting@4    | start 1, queue_delay                    | a cold start that lasts
QUEUE_DELAY 4, 0-9, idle 5 | 9 wait 9s, 4 run | busy busy busy busy | start 2, queue_delay                   | 9 in line for 4: 2 each
QUEUE_DELAY 4, 0-9, idle 5 | 3 wait 9s, 4 run | busy busy busy busy | start 1, queue_delay                   | a short line: one
QUEUE_DELAY 4, 0-99, idle 5 | 99 wait 9s, 4 run | busy busy busy busy | start 4, queue_delay                 | it doubles at most
QUEUE_DELAY 4, 0-5, idle 5 | 99 wait 9s, 4 run | busy busy busy busy | start 1, queue_delay                  | workersMax
QUEUE_DELAY 4, 0-1, idle 5 | 9 wait 9s, 1 run | busy               | workers_max                             | more is wanted than allowed
QUEUE_DELAY 4, 0-3, idle 5 | 2 low           |                     | low_priority_waits                      | low priority starts nobody
QUEUE_DELAY 4, 0-3, idle 5 | 9 low, 1 run    | busy                | enough                                  | nor adds anybody
`;

const requestCount = `
scaler                        | queue                | workers         | plan                            | because
REQUEST_COUNT 4, 0-9, idle 5  | 9 wait 0s, 3 run     | busy            | start 2, request_count          | ceil((9 + 3) / 4) = 3
REQUEST_COUNT 4, 0-2, idle 5  | 9 wait 0s, 3 run     | busy            | start 1, request_count          | held to workersMax
REQUEST_COUNT 4, 0-1, idle 5  | 9 wait 0s, 3 run     | busy            | workers_max                     | and named
REQUEST_COUNT 1, 0-9, idle 5  | 5 wait 0s            |                 | start 5, request_count          | one each, all at once
REQUEST_COUNT 4, 0-9, idle 5  | 1 wait 0s            |                 | start 1, request_count          | never less than one
REQUEST_COUNT 4, 0-9, idle 5  | 4 wait 9s            | starting@1      | help_under_way                  | the one on its way will do
REQUEST_COUNT 1, 0-9, idle 5  | 3 run                | busy            | start 2, request_count          | one worker may hold three jobs
REQUEST_COUNT 1, 0-9, idle 5  | 3 low                |                 | low_priority_waits              | low priority starts nobody
REQUEST_COUNT 1, 0-9, idle 5  | 5 lowrun             | busy            | enough                          | nor adds anybody when running
REQUEST_COUNT 1, 0-9, idle 5  | 1 wait 0s, 1 lowrun  | busy            | start 1, request_count          | but keeps its worker occupied
REQUEST_COUNT 1, 0-9, idle 5  | 2 run                | busy idle@9     | enough                          | two wanted, so the idle one stays
REQUEST_COUNT 4, 0-9, idle 5  | 2 run                | busy idle@9     | drain b:idle, enough            | one wanted, so it goes
`;

const down = `
scaler                     | queue            | workers                 | plan                              | because
QUEUE_DELAY 4, 0-3, idle 5 | -                | idle@4                  | enough, wake 1s                   | its idle time is not over
QUEUE_DELAY 4, 0-3, idle 5 | -                | idle@5                  | drain a:idle, enough              | now it is
QUEUE_DELAY 4, 1-3, idle 5 | -                | idle@9                  | enough                            | the minimum stays
QUEUE_DELAY 4, 1-3, idle 5 | -                | idle@9 starting@9       | enough                            | one that is starting is no stand-in
QUEUE_DELAY 4, 1-3, idle 5 | -                | idle@7 idle@9 idle@2    | drain b:idle a:idle, enough, wake 3s | longest idle first
QUEUE_DELAY 4, 0-3, idle 5 | -                | idle                    | drain a:idle, enough              | never busy: idle since ready
QUEUE_DELAY 4, 0-3, idle 5 | 1 low            | idle@9                  | enough                            | a waiting job could use it
QUEUE_DELAY 4, 0-3, idle 5 | 1 wait 0s        | idle@9 idle@8           | drain a:idle, help_under_way      | one job keeps one
QUEUE_DELAY 4, 0-0, idle 5 | 3 wait 9s, 1 run | busy idle@1 starting@1  | drain c:workers_max b:workers_max a:workers_max, paused, wake 3s | 0 drains all
QUEUE_DELAY 4, 0-1, idle 5 | 2 run            | busy busy               | drain b:workers_max, enough       | the newer of two busy ones
QUEUE_DELAY 4, 0-2, idle 5 | 2 run            | busy idle@1 busy        | drain b:workers_max, enough       | the idle one before a busy one
QUEUE_DELAY 4, 0-2, idle 5 | 1 run            | busy idle@1 starting@1  | drain c:workers_max, enough, wake 4s | what is not ready is missed least
QUEUE_DELAY 4, 0-1, idle 5 | -                | idle@1 idle@1 idle@1    | drain c:workers_max b:workers_max, enough, wake 4s | newest first
QUEUE_DELAY 4, 1-3, idle 5 | -                | unhealthy               | start 1, drain a:unhealthy, workers_min | replaced
QUEUE_DELAY 4, 1-1, idle 5 | -                | unhealthy               | drain a:unhealthy, workers_max    | once it has made room
QUEUE_DELAY 4, 0-3, idle 5 | 1 wait 0s        | unhealthy draining      | start 1, drain a:unhealthy, first_worker | neither is help
QUEUE_DELAY 4, 0-1, idle 5 | 1 wait 0s        | draining                | workers_max                       | it holds its place until it is gone
`;

const backingOff = `
backOff        | scaler                        | queue            | workers       | plan                      | because
backing_off 3s | QUEUE_DELAY 4, 0-3, idle 5    | 1 wait 0s        |               | backing_off, wake 3s      | not before
crash_loop 0s  | QUEUE_DELAY 4, 0-3, idle 5    | 1 wait 0s        |               | start 1, first_worker     | a try
crash_loop 0s  | QUEUE_DELAY 4, 3-3, idle 5    | -                |               | start 1, workers_min      | one at a time
crash_loop -1s | QUEUE_DELAY 4, 3-3, idle 5    | -                | starting@1    | crash_loop                | that one first
crash_loop -1s | REQUEST_COUNT 1, 0-9, idle 5  | 4 wait 9s        | starting@1    | crash_loop                | under either scaler
crash_loop -1s | REQUEST_COUNT 1, 0-9, idle 5  | 4 wait 9s, 1 run | busy          | start 4, request_count    | one is ready: no loop
crash_loop 9s  | QUEUE_DELAY 4, 0-3, idle 5    | -                | idle@5        | drain a:idle, enough      | it holds starts, not ends
`;

for (const table of [queueDelay, requestCount, down, backingOff]) {
  for (const row of ledger<FleetRow & { plan: string; because: string }>(table)) {
    test(`${row.scaler}: ${row.queue}: [${row.workers}]: ${row.because}`, () => {
      const plan = decideScale(fleetOf(row));
      assert.equal(planText(plan, plan.reason.code), row.plan);
    });
  }
}

test("a reason comes with the facts that explain it", () => {
  const queue = "9 wait 9s, 2 low, 1 run";
  const { reason } = decideScale(fleetOf({ queue, workers: "busy v1/draining", backOff: "ok" }));
  assert.deepEqual(reason, {
    code: "queue_delay",
    facts: {
      desired: 2,
      starting: 0,
      idle: 0,
      busy: 1,
      draining: 1,
      unhealthy: 0,
      outdated: 1,
      waiting: 9,
      waitingLowPriority: 2,
      oldestWaitingMs: 9_000,
    },
  });
});

const rule = (name: string, holds: (fleet: Fleet) => void) =>
  test(name, () => fc.assert(fc.property(anyFleet, holds), { numRuns: 2_000 }));

const drained = (fleet: Fleet, why?: string) => {
  const plan = decideScale(fleet);
  const ids = plan.drain.filter((entry) => !why || entry.why === why).map(({ id }) => id);
  return fleet.workers.filter(({ id }) => ids.includes(id));
};

rule("a start never exceeds workersMax, except by one beside an outdated worker", (fleet) => {
  const { all, outdated } = census(fleet);
  const { start } = decideScale(fleet);
  const max = fleet.policy.workersMax + (total(outdated) > 0 ? 1 : 0);
  if (start > 0) assert.ok(total(all) + start <= max);
  if (start > 0) assert.ok(capacity(all) + start <= fleet.policy.workersMax);
});

rule("workersMin is reached, if the back-off and the capacity allow it", (fleet) => {
  const { start } = decideScale(fleet);
  const { all } = census(fleet);
  const left = capacity(all) - drained(fleet).filter(({ state }) => state !== "unhealthy").length;
  const full = total(all) + start >= fleet.policy.workersMax;
  const min = Math.min(fleet.policy.workersMin, fleet.policy.workersMax);
  if (fleet.backOff.verdict === "ok") assert.ok(left + start >= min || full);
});

rule(
  "an idle timeout ends no worker early, none that a job could use, and none below workersMin",
  (fleet) => {
    const idle = drained(fleet, "idle");
    for (const worker of idle) {
      assert.equal(worker.state, "idle");
      assert.ok(idleTimeEndsAt(worker, fleet.policy) <= fleet.now);
    }
    if (idle.length === 0) return;
    const leaving = drained(fleet);
    const stay = fleet.workers.filter((worker) => !leaving.includes(worker));
    const { all } = census({ ...fleet, workers: stay });
    assert.ok(all.idle >= fleet.queue.waiting + fleet.queue.waitingLowPriority);
    assert.ok(ready(all) >= Math.min(fleet.policy.workersMin, fleet.policy.workersMax));
  },
);

rule("a busy worker is drained only when every other one is", (fleet) => {
  const leaving = drained(fleet);
  if (!leaving.some(({ state }) => state === "busy")) return;
  const others = fleet.workers.filter(({ state }) => state === "idle" || state === "starting");
  assert.ok(others.every((worker) => leaving.includes(worker)));
});

rule("no worker is drained twice, and no draining worker is drained", (fleet) => {
  const ids = decideScale(fleet).drain.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(drained(fleet).every(({ state }) => state !== "draining"));
});

rule("a worker drained for idleness is not replaced at once", (fleet) => {
  const idle = drained(fleet, "idle");
  if (idle.length === 0) return;
  const workers = fleet.workers.filter((worker) => !idle.includes(worker));
  assert.ok(decideScale({ ...fleet, workers }).start <= decideScale(fleet).start);
});

rule("more waiting jobs, or older ones, never start fewer workers", (fleet) => {
  const { waiting, oldestWaitingAt } = fleet.queue;
  if (oldestWaitingAt === null) return;
  const startWith = (queue: Partial<Fleet["queue"]>) =>
    decideScale({ ...fleet, queue: { ...fleet.queue, ...queue } }).start;
  assert.ok(startWith({ waiting: waiting + 1 }) >= startWith({}));
  assert.ok(startWith({ oldestWaitingAt: oldestWaitingAt - 1_000 }) >= startWith({}));
});

rule("a higher workersMax never starts fewer workers, nor drains more", (fleet) => {
  const higher = { ...fleet.policy, workersMax: fleet.policy.workersMax + 1 };
  const before = decideScale(fleet);
  const after = decideScale({ ...fleet, policy: higher });
  assert.ok(after.start >= before.start);
  assert.ok(after.drain.length <= before.drain.length);
});

rule("under QUEUE_DELAY no more workers start than jobs wait for them", (fleet) => {
  const { start, reason } = decideScale(fleet);
  const { all } = census(fleet);
  if (reason.code !== "queue_delay" && reason.code !== "first_worker") return;
  if (start > Math.max(0, fleet.policy.workersMin - capacity(all))) {
    assert.ok(all.idle + all.starting + start <= fleet.queue.waiting);
  }
});

rule("low priority never adds a worker, waiting or running", (fleet) => {
  const queue = { ...fleet.queue, waitingLowPriority: 0, inProgressLowPriority: 0 };
  const without = decideScale({ ...fleet, queue }).start;
  const waiting = { ...queue, waitingLowPriority: 9 };
  assert.ok(decideScale({ ...fleet, queue: waiting }).start <= without);
  const alone = { ...queue, waiting: 0, oldestWaitingAt: null, inProgress: 0 };
  const quiet = decideScale({ ...fleet, queue: alone }).start;
  assert.equal(
    decideScale({ ...fleet, queue: { ...alone, inProgressLowPriority: 9 } }).start,
    quiet,
  );
});
