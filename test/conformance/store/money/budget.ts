// Budgets: the spending of a period is what was used in it, however far charging has come.

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { HOUR_MS } from "../../../../src/base/units.ts";
import type { Budget } from "../../../../src/domain/money/budget.ts";
import { owed } from "../../../../src/domain/money/owed.ts";
import { findBudget, insertBudget, spentBudget } from "../../../../src/store/budget/budget.ts";
import type { Store } from "../../../../src/store/engine/store.ts";
import { spendingOf, spendingsOf } from "../../../../src/store/usage/spending.ts";
import type { Metered } from "../../../../src/store/usage/usage.ts";
import { observeBudget } from "../../../../src/transactions/budget/observe.ts";
import { chargeAll } from "../../../../src/transactions/money/charge-all.ts";
import { attribute, endMeter, meter } from "../../../../src/transactions/money/meter.ts";
import { Fixture, type OpenStore } from "../fixture.ts";

const metered = (resourceId: string, rate: number, more: Partial<Metered> = {}): Metered => ({
  accountId: "account",
  kind: "pod",
  resourceId,
  endpointId: "",
  gpuTypeId: "",
  dataCenterId: "",
  imageName: "",
  templateId: "",
  volumeType: "",
  gpus: 0,
  keyId: "",
  ownerId: null,
  labels: {},
  running: true,
  diskGb: 0,
  diskRate: 0,
  rate,
  ...more,
});

const budget = (more: Partial<Budget> = {}): Budget => ({
  id: "b",
  accountId: "account",
  name: "",
  labels: {},
  scope: "account",
  subjectId: "",
  period: "day",
  limit: 10_000_000,
  createdAt: 0,
  warnedAt: null,
  warnedUntil: null,
  spentAt: null,
  spentUntil: null,
  ...more,
});

const meterAll = (store: Store, now: number) => chargeAll(store, now, 3);

export function budgetConformance(open: OpenStore): void {
  spendingConformance(open);
  labelSpendingConformance(open);
  hourSpendingConformance(open);

  test("a spent budget stops what it applies to until its period ends", async (t) => {
    const { store, now: about } = await Fixture.set(open, t);
    const start = Math.floor(about / HOUR_MS) * HOUR_MS;
    const end = start + HOUR_MS;
    await store.write(insertBudget, budget({ period: "hour", scope: "key", subjectId: "k" }));
    await store.write(meter, metered("p", 20_000_000, { keyId: "k" }), start);
    const observe = (at: number) => store.write(observeBudget, "b", at);
    const holds = async (keyId: string, at: number) => {
      const spender = { accountId: "account", keyId, endpointId: null, labels: {} };
      return (await store.read(spentBudget, spender, at))?.id ?? null;
    };
    assert.equal((await observe(start))?.nextAt, start + 0.4 * HOUR_MS);
    const warned = await observe(start + 0.4 * HOUR_MS);
    assert.deepEqual([warned?.newlyWarned, warned?.newlySpent], [true, false]);
    assert.equal((await observe(start + 0.45 * HOUR_MS))?.newlyWarned, false);
    const spent = await observe(start + HOUR_MS / 2);
    assert.deepEqual([spent?.newlySpent, spent?.nextAt], [true, end]);
    assert.equal((await observe(start + HOUR_MS / 2 + 1))?.newlySpent, false);
    assert.deepEqual([await holds("k", end - 1), await holds("other", end - 1)], ["b", null]);
    assert.equal(await holds("k", end), null);
    await store.write(endMeter, "p", start + 1);
    await observe(start + HOUR_MS / 2 + 2);
    assert.equal(await holds("k", end - 1), null, "the excess was returned");
    assert.equal((await store.read(findBudget, "b"))?.spentAt, start + HOUR_MS / 2);
  });
}

function spendingConformance(open: OpenStore): void {
  test("spending counts only its own period, account, endpoint and key", async (t) => {
    const { store, now: about } = await Fixture.set(open, t);
    const midnight = Math.floor(about / (24 * HOUR_MS)) * 24 * HOUR_MS;
    const now = midnight + 90 * 60_000;
    // It began two hours before midnight and was never charged.
    await store.write(meter, metered("p", 1_000_000, { keyId: "k" }), midnight - 2 * HOUR_MS);
    const worker = metered("w", 100_000, { kind: "worker", endpointId: "e", keyId: "other" });
    await store.write(meter, worker, midnight + HOUR_MS);
    const spending = async (more: Partial<Budget>) => {
      const { spent, perHour } = await store.read(spendingOf, budget(more), now);
      return [spent, perHour];
    };
    const all = async () => [
      await spending({}),
      await spending({ period: "hour" }),
      await spending({ scope: "key", subjectId: "k" }),
      await spending({ scope: "endpoint", subjectId: "e" }),
      await spending({ scope: "endpoint", subjectId: "f" }),
      await spending({ accountId: "another" }),
    ];
    const truth = [
      [1_550_000, 1_100_000],
      [550_000, 1_100_000],
      [1_500_000, 1_000_000],
      [50_000, 100_000],
      [0, 0],
      [0, 0],
    ];
    assert.deepEqual(await all(), truth);
    await meterAll(store, midnight + HOUR_MS / 2);
    assert.deepEqual(await all(), truth, "charged in part");
    await meterAll(store, now);
    assert.deepEqual(await all(), truth, "charged up to now");
    await meterAll(store, now + 3 * HOUR_MS);
    assert.deepEqual(await all(), truth, "charged ahead, and the clock went back");
  });
}

function labelSpendingConformance(open: OpenStore): void {
  test("a label's spending is what was used while it was there, and of no other label", async (t) => {
    const { store, now: about } = await Fixture.set(open, t);
    const midnight = Math.floor(about / (24 * HOUR_MS)) * 24 * HOUR_MS;
    const now = midnight + 4 * HOUR_MS;
    const spending = async (label: string, more: Partial<Budget> = {}) => {
      const of = budget({ scope: "label", subjectId: label, ...more });
      const { spent, perHour } = await store.read(spendingOf, of, now);
      return [spent, perHour];
    };
    const labels = { team: "vision", 'a"b': "v", "x,": ":", c: "a=b" };
    await store.write(meter, metered("p", 1_000_000, { labels }), midnight - HOUR_MS);
    const to = { ownerId: null, labels: { team: "search" } };
    await store.write(attribute, "p", to, midnight + HOUR_MS);
    await store.write(meter, metered("v", 500_000, { kind: "volume", labels }), midnight);
    await store.write(endMeter, "v", midnight + 2 * HOUR_MS);
    await store.write(meter, metered("q", 100_000), midnight);
    for (const charged of [midnight, midnight + 90 * 60_000, now]) {
      await meterAll(store, charged);
      assert.deepEqual(await spending("team=vision"), [2_000_000, 0], String(charged));
      assert.deepEqual(await spending("team=search"), [3_000_000, 1_000_000]);
      assert.deepEqual(await spending("team=search", { period: "hour" }), [0, 1_000_000]);
      assert.deepEqual(await spending("c=a=b"), [2_000_000, 0]);
      assert.deepEqual(await spending('a"b=v'), [2_000_000, 0]);
      for (const label of ["team=", "team=visio", "eam=vision", "b=v", ":=,", "c=a"]) {
        assert.deepEqual(await spending(label), [0, 0], label);
      }
      assert.deepEqual(await spending("team=vision", { accountId: "another" }), [0, 0]);
      const budgets = ["team=vision", "team=search", "c=a=b", "b=v", ":=,"]
        .map((label) => budget({ scope: "label", subjectId: label }))
        .flatMap((day) => [day, { ...day, period: "hour" as const }])
        .concat(
          budget({ scope: "label", subjectId: "team=vision", accountId: "another" }),
          budget(),
        );
      const each = budgets.map((of) => store.read(spendingOf, of, now));
      assert.deepEqual(await store.read(spendingsOf, budgets, now), await Promise.all(each));
    }
  });
}

function hourSpendingConformance(open: OpenStore): void {
  test("an hour's spending is what was used in it, however far charging has come", async (t) => {
    const { store, now: about } = await Fixture.set(open, t);
    const start = Math.floor(about / HOUR_MS) * HOUR_MS;
    let n = 0;
    const instant = fc.integer({ min: -2 * HOUR_MS, max: HOUR_MS });
    const life = fc.record({ began: instant, charged: instant, ended: fc.option(instant) });
    await fc.assert(
      fc.asyncProperty(life, fc.integer({ min: 0, max: HOUR_MS - 1 }), async (life, passed) => {
        const [endpointId, rate, now] = [`e${n++}`, 3_333_333, start + passed];
        const began = Math.min(start + life.began, now);
        const ended =
          life.ended === null ? now : Math.min(now, Math.max(began, start + life.ended));
        const labels = { team: endpointId, other: "x" };
        const worker = metered(endpointId, rate, { endpointId, kind: "worker", labels });
        await store.write(meter, worker, began);
        await meterAll(store, start + life.charged);
        if (life.ended !== null) await store.write(endMeter, endpointId, ended);
        const interval = { rate, beganAt: began, carry: 0 };
        const truth =
          owed(interval, ended) - owed(interval, Math.min(ended, Math.max(start, began)));
        for (const of of [
          { scope: "endpoint", subjectId: endpointId },
          { scope: "label", subjectId: `team=${endpointId}` },
        ] as const) {
          const { spent } = await store.read(spendingOf, budget({ ...of, period: "hour" }), now);
          assert.equal(spent, truth, of.scope);
        }
      }),
      { numRuns: 50, endOnFailure: true },
    );
  });
}
