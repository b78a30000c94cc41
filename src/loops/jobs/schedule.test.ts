// Schedules under a clock that jumps, and runs that cannot be submitted, on a real store.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { Fixture } from "../../../test/conformance/store/fixture.ts";
import { randomIds } from "../../base/ids.ts";
import { HOUR_MS } from "../../base/units.ts";
import type { NotificationRule } from "../../domain/notification/rule.ts";
import { documented } from "../../domain/protocol.ts";
import type { MissedRunPolicy, RunOutcome } from "../../domain/schedule/schedule.ts";
import { changeSchedule, createSchedule, readSchedule } from "../../flows/schedule/schedule.ts";
import { StorageQuota } from "../../flows/storage-quota.ts";
import { openSqlite } from "../../store/engine/sqlite/open.ts";
import { rows } from "../../store/engine/statement.ts";
import type { Store } from "../../store/engine/store.ts";
import { findJob } from "../../store/job/find.ts";
import { insertRule } from "../../store/notification/rule.ts";
import { runsOf } from "../../store/schedule/run.ts";
import { fireSchedule, runScheduleNow } from "../../transactions/schedule/fire.ts";
import { PartialFailure } from "../engine/loop.ts";
import { scheduleLoop } from "./schedule.ts";

const START = Date.parse("2027-01-30T10:00:00Z");

interface Setting {
  cron?: string;
  missedRunPolicy?: MissedRunPolicy;
  quota?: number;
}

async function setUp(t: TestContext, setting: Setting = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "freehold-schedule-"));
  const fixture = await Fixture.set(async () => openSqlite(path.join(folder, "freehold.db")), t);
  t.after(async () => {
    await fixture.store.close();
    rmSync(folder, { recursive: true });
  });
  const { store } = fixture;
  let now = START;
  const clock = { now: () => now, ticks: () => now, after: () => () => {} };
  const storageQuota = new StorageQuota({ store, clock }, setting.quota ?? null);
  const outcomes: RunOutcome[] = [];
  const deps = { store, clock, ids: randomIds, protocol: documented, storageQuota, tracer: null };
  const metrics = { recordScheduleRun: (outcome: RunOutcome) => void outcomes.push(outcome) };
  const loop = scheduleLoop({ ...deps, metrics });
  const { cron = "0 * * * *", missedRunPolicy = "SKIP" } = setting;
  const { id } = await createSchedule(deps, {
    accountId: "account",
    endpointId: "e",
    name: "hourly",
    labels: {},
    input: '{"n":12345678901234567890}',
    spec: {
      cron,
      timeZone: "UTC",
      webhook: null,
      policy: { priority: 7 },
      missedRunPolicy,
      concurrencyPolicy: "ALLOW",
      catchUpWindowMs: 3 * HOUR_MS,
    },
    paused: false,
    once: null,
  });
  /** Sets the clock, and returns the instants that ran with their outcomes, the earliest first. */
  const passAt = async (instant: number) => {
    const before = (await readSchedule(deps, "account", id)).runs;
    now = instant;
    const next = await loop.run();
    const runs = (await store.read(runsOf, id)).filter(({ n }) => n > before).reverse();
    return { next, runs: runs.map((run) => [run.scheduledAt - START, run.outcome]) };
  };
  const runs = () => store.read(runsOf, id);
  return { fixture, store, deps, id, passAt, runs, outcomes, clock, metrics };
}

test("it fires at its instant with its input and its policy, once", async (t) => {
  const { store, passAt, runs, outcomes, clock } = await setUp(t);
  assert.deepEqual(await passAt(START + HOUR_MS - 1), { next: START + HOUR_MS, runs: [] });
  const fired = await passAt(START + HOUR_MS);
  assert.deepEqual(fired, { next: START + 2 * HOUR_MS, runs: [[HOUR_MS, "SUBMITTED"]] });
  assert.deepEqual((await passAt(START + HOUR_MS)).runs, []);
  const [run] = await runs();
  const job = await store.read(findJob, run!.jobId!, clock.now());
  assert.deepEqual([job?.state, job?.priority], ["IN_QUEUE", 7]);
  assert.deepEqual(outcomes, ["SUBMITTED"]);
});

test("a jump forward neither piles up runs nor loses those that the policy keeps", async (t) => {
  const jump = START + 5 * HOUR_MS + 600_000;
  const next = START + 6 * HOUR_MS;
  const expected: [MissedRunPolicy, [number, RunOutcome][]][] = [
    ["SKIP", [[5, "SKIPPED"]]],
    [
      "RUN_ONCE",
      [
        [4, "SKIPPED"],
        [5, "SUBMITTED"],
      ],
    ],
    [
      "RUN_ALL",
      [
        [2, "SKIPPED"],
        [3, "SUBMITTED"],
        [4, "SUBMITTED"],
        [5, "SUBMITTED"],
      ],
    ],
  ];
  for (const [missedRunPolicy, runs] of expected) {
    await t.test(missedRunPolicy, async (t) => {
      const { passAt } = await setUp(t, { missedRunPolicy });
      const instants = runs.map(([hours, outcome]) => [hours * HOUR_MS, outcome]);
      assert.deepEqual(await passAt(jump), { next, runs: instants });
      assert.deepEqual((await passAt(jump)).runs, []);
    });
  }
});

test("a jump backward repeats no instant, also after a change of the schedule", async (t) => {
  const { deps, id, passAt } = await setUp(t);
  await passAt(START + 3 * HOUR_MS);
  assert.deepEqual((await passAt(START + 2 * HOUR_MS)).runs, []);
  await changeSchedule(deps, "account", id, { spec: { cron: "0,30 * * * *" } });
  assert.deepEqual((await passAt(START + 3 * HOUR_MS)).runs, []);
  const { runs } = await passAt(START + 3.5 * HOUR_MS);
  assert.deepEqual(runs, [[3.5 * HOUR_MS, "SUBMITTED"]]);
});

test("instants of a pause do not run", async (t) => {
  const { deps, id, passAt } = await setUp(t, { missedRunPolicy: "RUN_ALL" });
  const paused = await changeSchedule(deps, "account", id, { paused: true });
  assert.equal(paused.nextRunAt, null);
  assert.deepEqual(await passAt(START + 2 * HOUR_MS + 1), { next: null, runs: [] });
  await changeSchedule(deps, "account", id, { paused: false });
  assert.deepEqual(await passAt(START + 3 * HOUR_MS), {
    next: START + 4 * HOUR_MS,
    runs: [[3 * HOUR_MS, "SUBMITTED"]],
  });
});

test("a run that cannot be submitted is recorded with the reason, and the next one is tried", async (t) => {
  const { fixture, store, id, passAt, runs, outcomes } = await setUp(t, { quota: 10 });
  const rule = (ruleId: string, endpointIds: string[]): NotificationRule => ({
    id: ruleId,
    accountId: "account",
    name: ruleId,
    enabled: true,
    endpointIds,
    podIds: [],
    events: ["schedule_failed"],
    failures: { count: 5, percent: null, windowMinutes: 10 },
    channel: { type: "webhook", url: "http://127.0.0.1:9" },
    secret: null,
    notifiedAt: null,
    createdAt: START,
    changedAt: START,
  });
  await store.write(insertRule, rule("all", []));
  await store.write(insertRule, rule("of-others", ["other"]));
  assert.deepEqual((await passAt(START + HOUR_MS)).runs, [[HOUR_MS, "FAILED"]]);
  assert.match((await runs())[0]!.reason!, /at most 10 bytes/);
  assert.deepEqual((await passAt(START + 2 * HOUR_MS)).runs, [[2 * HOUR_MS, "FAILED"]]);
  assert.deepEqual(outcomes, ["FAILED", "FAILED"]);
  await store.write(runScheduleNow, id, fixture.newJob({ now: START + 2 * HOUR_MS }));
  await passAt(START + 3 * HOUR_MS);
  const announced = await store.read(announcedEvents);
  assert.deepEqual(
    announced.map(({ rule_id, event }) => [rule_id, JSON.parse(event).resolved]),
    [
      ["all", false],
      ["all", true],
      ["all", false],
    ],
    "the first failure, the run on request, and the failure after it",
  );
  assert.match(JSON.parse(announced[0]!.event).summary, /hourly .*could not submit .*10 bytes/);
});

test("a schedule that fails does not make the others late", async (t) => {
  const { store, deps, id, passAt, metrics } = await setUp(t);
  const failing = {
    isFull: false,
    read: store.read.bind(store),
    async write(transaction: unknown, ...args: unknown[]) {
      if (transaction === fireSchedule) throw new Error("it cannot be fired");
      return store.write(transaction as never, ...(args as never));
    },
  } as unknown as Store;
  const original = await readSchedule(deps, "account", id);
  const { accountId, endpointId, labels, input, spec } = original;
  await createSchedule(deps, {
    accountId,
    endpointId,
    labels,
    input,
    paused: false,
    once: null,
    name: "later",
    spec: { ...spec, cron: "20 * * * *" },
  });
  await passAt(START + HOUR_MS - 1);
  const clock = { ...deps.clock, now: () => START + HOUR_MS };
  await assert.rejects(
    scheduleLoop({ ...deps, clock, store: failing, metrics }).run(),
    (error) => error instanceof PartialFailure && error.again === START + HOUR_MS + 1_200_000,
  );
});

test("more schedules than one page that all fail do not hold up the later ones", async (t) => {
  const { store, deps, id, passAt, metrics } = await setUp(t);
  const { accountId, endpointId, labels, input, spec } = await readSchedule(deps, "account", id);
  const settings = { accountId, endpointId, labels, input, paused: false, once: null };
  const create = async (name: string, cron: string) =>
    (await createSchedule(deps, { ...settings, name, spec: { ...spec, cron } })).id;
  const failing = new Set([id]);
  for (let n = 0; n < 24; n++) failing.add(await create(`fails ${n}`, "0 * * * *"));
  const later = await create("later", "1 * * * *");
  const partly = {
    isFull: false,
    read: store.read.bind(store),
    async write(transaction: unknown, ...args: unknown[]) {
      const [firing] = args as [{ schedule: { id: string } }];
      if (failing.has(firing.schedule?.id)) throw new Error("it cannot be fired");
      return store.write(transaction as never, ...(args as never));
    },
  } as unknown as Store;
  await passAt(START + HOUR_MS - 1);
  const clock = { ...deps.clock, now: () => START + HOUR_MS + 60_000 };
  const pass = scheduleLoop({ ...deps, clock, store: partly, metrics }).run();
  await assert.rejects(pass, /it cannot be fired/);
  const { lastRunAt } = await readSchedule(deps, "account", later);
  assert.equal(lastRunAt, START + HOUR_MS + 60_000);
});

function* announcedEvents() {
  return yield* rows<{ rule_id: string; event: string }>(
    "select rule_id, event from notification_event order by seq",
  );
}
