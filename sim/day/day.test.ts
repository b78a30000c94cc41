// Tests of invariants of the simulated day. The figures that it prints depend on the load.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ScalePolicy } from "../../src/domain/endpoint/fleet.ts";
import { dayOfJobs, type SimulatedJob } from "./load.ts";
import { policies } from "./policies.ts";
import { type DayRecord, simulateDay } from "./simulate.ts";
import { dayTable } from "./table.ts";

const hourMs = 3_600_000;
const day = dayOfJobs(1);
const nameOf = (policy: ScalePolicy) => Object.values(policy).join(" ");

function assertInvariants(policy: ScalePolicy, jobs: SimulatedJob[], record: DayRecord) {
  const { waitsMs, lives, mostAlive, fewestReady } = record;
  assert.equal(record.jobsDone, jobs.length, "every job is done");
  assert.equal(waitsMs.normal.length + waitsMs.lowPriority.length, jobs.length);
  assert.ok(mostAlive.steady <= policy.workersMax, "workersMax holds");
  assert.ok(mostAlive.rolling <= policy.workersMax + 1, "one more during a roll-out");
  assert.ok(fewestReady >= policy.workersMin, "workersMin holds, once reached");
  for (const life of lives.filter(({ drainedFor }) => drainedFor === "idle")) {
    assert.ok(life.idleAtDrainMs >= policy.idleTimeoutS * 1_000);
    assert.ok(life.endedAt - life.readyAt! >= policy.idleTimeoutS * 1_000);
  }
}

for (const policy of policies) {
  test(`invariants of a day under ${nameOf(policy)}`, () => {
    const record = simulateDay({ policy, jobs: day, seed: 1 });
    assertInvariants(policy, day, record);
    const ended = record.lives.filter(({ drainedFor }) => drainedFor !== null);
    assert.ok(ended.every(({ drainedFor }) => drainedFor === "idle"));
    if (policy.scalerType === "QUEUE_DELAY" && policy.workersMin === 0) {
      const idleTimes = new Set(ended.map(({ idleAtDrainMs }) => idleAtDrainMs));
      assert.deepEqual([...idleTimes], [policy.idleTimeoutS * 1_000], "woken on the millisecond");
    }
  });
}

test("equal seeds give equal days, and different seeds different ones", () => {
  const policy = policies[0]!;
  const print = (seed: number) => {
    const jobs = dayOfJobs(seed).slice(0, 500);
    return dayTable([{ policy, record: simulateDay({ policy, jobs, seed }) }]);
  };
  assert.equal(print(7), print(7));
  assert.notEqual(print(7), print(8));
});

test("a low-priority job starts no worker and runs once one is ready", () => {
  const at = (submittedAt: number, lowPriority: boolean) => {
    return { submittedAt, runMs: 1_000, lowPriority };
  };
  for (const policy of policies.filter(({ workersMin }) => workersMin === 0)) {
    const alone = simulateDay({ policy, jobs: [at(0, true), at(5, true)], seed: 1 });
    assert.equal(alone.lives.length, 0);
    const jobs = [at(0, true), at(hourMs, false)];
    const served = simulateDay({ policy, jobs, seed: 1 });
    assert.equal(served.lives.length, 1);
    assert.equal(served.jobsDone, 2);
  }
});

const hour = day.filter(({ submittedAt }) => submittedAt > 9 * hourMs && submittedAt < 10 * hourMs);
const releaseAt = fc.integer({ min: 9 * hourMs, max: 10 * hourMs });

test("invariants hold under any policy and any valid releases", () => {
  const anyPolicy = fc.record({
    scalerType: fc.constantFrom("QUEUE_DELAY" as const, "REQUEST_COUNT" as const),
    scalerValue: fc.integer({ min: 1, max: 8 }),
    workersMin: fc.integer({ min: 0, max: 3 }),
    workersMax: fc.integer({ min: 3, max: 8 }),
    idleTimeoutS: fc.integer({ min: 1, max: 90 }),
  });
  fc.assert(
    fc.property(
      anyPolicy,
      fc.array(releaseAt, { maxLength: 4 }),
      fc.nat(),
      (policy, times, seed) => {
        const releases = times.map((at) => ({ at, bad: false }));
        const record = simulateDay({ policy, jobs: hour, seed, releases });
        assertInvariants(policy, hour, record);
        const newest = Math.max(...record.lives.map(({ version }) => version));
        const atEnd = record.lives.filter(({ endedAt }) => endedAt > 20 * hourMs);
        assert.ok(
          atEnd.every(({ version }) => version === newest),
          "the roll-out comes to its end",
        );
      },
    ),
    { numRuns: 60 },
  );
});

test("a bad release stops no worker: the old one serves until a good one is ready", () => {
  const [badAt, fixedAt] = [9.2 * hourMs, 9.7 * hourMs];
  const releases = [
    { at: badAt, bad: true },
    { at: fixedAt, bad: false },
  ];
  for (const policy of policies.filter(({ workersMin }) => workersMin > 0)) {
    for (const workersMax of [1, 3]) {
      const limited = { ...policy, workersMax };
      const record = simulateDay({ policy: limited, jobs: hour, seed: 1, releases });
      assertInvariants(limited, hour, record);
      const of = (version: number) => record.lives.filter((life) => life.version === version);
      const fixed = Math.min(...of(3).map(({ readyAt }) => readyAt ?? Infinity));
      assert.ok(Math.max(...of(1).map(({ endedAt }) => endedAt)) >= fixed);
      assert.ok(of(2).every(({ served }) => served === 0));
      assert.ok(of(2).length > 10, "it is tried again");
      assert.ok(of(2).length < 7 + (fixedAt - badAt) / 60_000, "about once a minute");
    }
  }
});
