// Laws of schedules: an instant runs once, and its job and its record are one commit.

import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf } from "../../../../src/domain/job/job.ts";
import { REPLACED } from "../../../../src/domain/job/sentences.ts";
import {
  type ConcurrencyPolicy,
  MAX_KEPT_RUNS,
  type Schedule,
} from "../../../../src/domain/schedule/schedule.ts";
import type { StorageLimit } from "../../../../src/domain/storage/storage-limit.ts";
import { topic } from "../../../../src/store/engine/notifier.ts";
import { jobCounts } from "../../../../src/store/job/load.ts";
import { runsOf } from "../../../../src/store/schedule/run.ts";
import {
  dueSchedules,
  findSchedule,
  nextScheduleAfter,
} from "../../../../src/store/schedule/schedule.ts";
import { markOwnEndpointDeleted } from "../../../../src/transactions/endpoint/delete.ts";
import {
  deleteOwnSchedule,
  replaceSchedule,
} from "../../../../src/transactions/schedule/change.ts";
import { createScheduleOnce } from "../../../../src/transactions/schedule/create.ts";
import { fireSchedule, runScheduleNow } from "../../../../src/transactions/schedule/fire.ts";
import { checkInvariants } from "../contents.ts";
import { Fixture, type OpenStore } from "../fixture.ts";

const HOUR_MS = 3_600_000;

export function scheduleConformance(open: OpenStore): void {
  test("two replicas that fire the same instant submit one job", async (t) => {
    const fixture = await Fixture.set(open, t);
    const { store, now } = fixture;
    const schedule = await scheduled(fixture);
    const both = [fireOnce(fixture, schedule), fireOnce(fixture, schedule)];
    const outcomes = await Promise.all(both);
    assert.deepEqual(outcomes.map(String).sort(), ["SUBMITTED", "null"]);
    const runs = await store.read(runsOf, "s");
    assert.deepEqual(
      runs.map(({ n, scheduledAt, outcome }) => [n, scheduledAt, outcome]),
      [[1, now, "SUBMITTED"]],
    );
    assert.equal(await fixture.state(runs[0]!.jobId!), "IN_QUEUE");
    const after = await store.read(findSchedule, "s");
    assert.deepEqual([after?.nextRunAt, after?.lastRunAt], [now + HOUR_MS, now]);
    assert.equal((await store.read(jobCounts, "e")).inQueue, 1);
    await checkInvariants(fixture);
  });

  test("a schedule that was paused or deleted since it was read is not fired", async (t) => {
    const fixture = await Fixture.set(open, t);
    const { store, now } = fixture;
    const schedule = await scheduled(fixture);
    assert.deepEqual((await store.read(dueSchedules, now, 5, null)).length, 1);
    assert.equal(await store.read(nextScheduleAfter, now - 1), now);
    assert.equal(await store.read(nextScheduleAfter, now), null);
    const paused = { ...schedule, pausedAt: now, nextRunAt: null };
    assert.equal(await store.write(replaceSchedule, paused), true);
    assert.equal(await store.write(replaceSchedule, paused), false, "it was changed since");
    assert.equal(await fireOnce(fixture, schedule), null);
    assert.deepEqual(await store.read(dueSchedules, now, 5, null), []);
    assert.equal(await store.write(deleteOwnSchedule, "other", "s"), false);
    assert.equal(await store.write(deleteOwnSchedule, "account", "s"), true);
    assert.equal(await fireOnce(fixture, { ...paused, revision: 2 }), null);
    assert.equal(await store.write(runScheduleNow, "s", fixture.newJob()), null);
    assert.equal((await store.read(jobCounts, "e")).inQueue, 0);
  });
  overlapConformance(open);
  runsConformance(open);
}

function overlapConformance(open: OpenStore): void {
  const policies: [ConcurrencyPolicy, string[], string[]][] = [
    ["ALLOW", ["SUBMITTED", "SUBMITTED"], ["IN_PROGRESS", "IN_QUEUE"]],
    ["FORBID", ["SUBMITTED", "SKIPPED"], ["IN_PROGRESS"]],
    ["REPLACE", ["SUBMITTED", "SUBMITTED"], ["CANCELLED", "IN_QUEUE"]],
  ];
  for (const [concurrencyPolicy, outcomes, states] of policies) {
    test(`${concurrencyPolicy} at an instant while a job of the schedule runs`, async (t) => {
      const fixture = await Fixture.set(open, t);
      const { store } = fixture;
      await fireOnce(fixture, await scheduled(fixture, concurrencyPolicy));
      await fixture.claim();
      const schedule = await store.read(findSchedule, "s");
      await fireOnce(fixture, schedule!);
      const runs = (await store.read(runsOf, "s")).reverse();
      assert.deepEqual(
        runs.map(({ outcome }) => outcome),
        outcomes,
      );
      const ids = runs.flatMap(({ jobId }) => jobId ?? []);
      assert.deepEqual(await Promise.all(ids.map((id) => fixture.state(id))), states);
      if (concurrencyPolicy === "FORBID") assert.match(runs[1]!.reason!, new RegExp(ids[0]!));
      if (concurrencyPolicy === "REPLACE")
        assert.equal(errorOf(await fixture.job(ids[0]!)), REPLACED);
      await checkInvariants(fixture);
    });
  }

  test("REPLACE without room for the new job leaves the running one alone", async (t) => {
    const fixture = await Fixture.set(open, t);
    const { store } = fixture;
    await fireOnce(fixture, await scheduled(fixture, "REPLACE"));
    await fixture.claim();
    const schedule = await store.read(findSchedule, "s");
    await fireOnce(fixture, schedule!, { accountId: "account", bytes: 0 });
    const [failed, first] = await store.read(runsOf, "s");
    assert.deepEqual([failed?.outcome, failed?.jobId], ["FAILED", null]);
    assert.equal(await fixture.state(first!.jobId!), "IN_PROGRESS");
    await checkInvariants(fixture);
  });
}

function runsConformance(open: OpenStore): void {
  test("the latest runs are kept, and go with the schedule", async (t) => {
    const fixture = await Fixture.set(open, t);
    const { store } = fixture;
    await scheduled(fixture);
    for (let n = 0; n < MAX_KEPT_RUNS + 2; n++) {
      await store.write(runScheduleNow, "s", fixture.newJob());
    }
    const runs = await store.read(runsOf, "s");
    assert.deepEqual([runs.length, runs[0]?.n, runs.at(-1)?.n], [MAX_KEPT_RUNS, 52, 3]);
    const changed = store.notifier.subscribe(topic.changed("account", "schedule", "s"));
    await store.write(markOwnEndpointDeleted, "account", "e", fixture.now);
    assert.ok(changed.signalled);
    changed.close();
    assert.equal(await store.read(findSchedule, "s"), undefined);
    assert.deepEqual(await store.read(runsOf, "s"), []);
  });
}

function fireOnce(fixture: Fixture, schedule: Schedule, storageLimit: StorageLimit | null = null) {
  const { store, now } = fixture;
  const runs = [{ at: now, job: fixture.newJob({ storageLimit }) }];
  return store.write(fireSchedule, { schedule, runs, nextRunAt: now + HOUR_MS }, now);
}

async function scheduled(
  { store, now }: Fixture,
  concurrencyPolicy: ConcurrencyPolicy = "ALLOW",
): Promise<Schedule> {
  const schedule: Schedule = {
    id: "s",
    accountId: "account",
    endpointId: "e",
    name: "hourly",
    labels: {},
    input: '{"n":1}',
    spec: {
      cron: "@hourly",
      timeZone: "UTC",
      webhook: null,
      policy: {},
      concurrencyPolicy,
      missedRunPolicy: "SKIP",
      catchUpWindowMs: HOUR_MS,
    },
    pausedAt: null,
    nextRunAt: now,
    lastRunAt: null,
    runs: 0,
    revision: 1,
    createdAt: now,
  };
  await store.write(createScheduleOnce, null, schedule);
  return schedule;
}
