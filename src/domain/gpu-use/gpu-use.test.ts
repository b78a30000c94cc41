import assert from "node:assert/strict";
import { test } from "node:test";
import { type FoldedUse, type GroupInterval, useAt, useOf } from "./decay.ts";
import { type GroupShare, groupOf, partOfUse, shareOrder } from "./share-order.ts";

const HOUR = 3_600_000;
const WEEK = 168 * HOUR;
const near = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) <= Math.abs(expected) * 1e-9, `${actual}, ${expected}`);

test("an idle half-life halves what was used", () => {
  const cases: [name: string, at: number, gpuMs: number][] = [
    ["at once", 0, 1_000_000],
    ["a week later", WEEK, 500_000],
    ["two weeks later", 2 * WEEK, 250_000],
    ["half a week later", WEEK / 2, 1_000_000 / Math.SQRT2],
  ];
  const folded = { at: 0, gpuMs: new Map([["a", 1_000_000]]) };
  for (const [, at, gpuMs] of cases) near(useAt(folded, [], at, WEEK).get("a")!, gpuMs);
});

test("an interval counts as its GPU-time, decayed since each of its instants", () => {
  const interval = { gpus: 2, from: 0, to: HOUR };
  // With a long half-life nothing decays.
  assert.ok(Math.abs(useOf(interval, HOUR, 1e9 * WEEK) - 2 * HOUR) < 10);
  // All that was ever used is at most as much as 1 / ln 2 half-lives of use.
  near(useOf({ gpus: 1, from: -1e6 * WEEK, to: 0 }, 0, WEEK), WEEK / Math.LN2);
  near(useOf(interval, HOUR + WEEK, WEEK), useOf(interval, HOUR, WEEK) / 2);
  assert.equal(useOf({ gpus: 2, from: HOUR, to: HOUR }, HOUR, WEEK), 0);
  near(useOf({ gpus: 0.25, from: 0, to: HOUR }, HOUR, WEEK), useOf(interval, HOUR, WEEK) / 8);
});

test("what is folded, however often, counts the same", () => {
  const intervals: GroupInterval[] = [
    { group: "a", gpus: 1, from: 5 * HOUR, to: 300 * HOUR },
    { group: "a", gpus: 3, from: 20 * HOUR, to: 21 * HOUR },
    { group: "b", gpus: 2, from: 90 * HOUR, to: 400 * HOUR },
  ];
  const none: FoldedUse = { at: 0, gpuMs: new Map() };
  const at = 400 * HOUR;
  const whole = useAt(none, intervals, at, WEEK);
  let folded = none;
  for (let to = 7 * HOUR; to < at; to += 7 * HOUR) {
    folded = {
      at: to,
      gpuMs: useAt(
        folded,
        intervals.filter(({ from }) => from < to),
        to,
        WEEK,
      ),
    };
  }
  for (const [group, gpuMs] of useAt(folded, intervals, at, WEEK)) near(gpuMs, whole.get(group)!);
  assert.deepEqual([...useAt({ at: 0, gpuMs: new Map([["a", 1e6]]) }, [], 20 * WEEK, WEEK)], []);
});

const order = (requests: string[], shares: Record<string, GroupShare>, gpus = 1) =>
  shareOrder(
    requests,
    (each) => ({ group: each[0]!, gpus }),
    (group) => shares[group] ?? { gpuMs: 0, weight: 1 },
  ).join(" ");

test("the group that has used least for its weight comes first, and groups take turns", () => {
  const used = (hours: number, weight = 1): GroupShare => ({ gpuMs: hours * HOUR, weight });
  const cases: [string[], Record<string, GroupShare>, expected: string][] = [
    [[], {}, ""],
    [["a1", "a2"], { a: used(9) }, "a1 a2"],
    [["a1", "b1"], {}, "a1 b1"],
    [["a1", "b1"], { a: used(1) }, "b1 a1"],
    [["a1", "b1"], { a: used(2, 3), b: used(1) }, "a1 b1"],
    [["a1", "a2", "b1", "b2"], {}, "a1 b1 a2 b2"],
    [["a1", "a2", "a3", "b1", "b2", "b3"], { a: used(2.5) }, "b1 b2 b3 a1 a2 a3"],
    [["a1", "a2", "b1", "b2", "b3", "b4"], { b: used(0, 3) }, "a1 b1 b2 b3 a2 b4"],
  ];
  for (const [requests, shares, expected] of cases) assert.equal(order(requests, shares), expected);
});

test("two groups with weights 1 and 3 that always ask get 1 and 3 parts of the GPUs", () => {
  const weights: Record<string, number> = { a: 1, b: 3 };
  const halfLife = 24 * HOUR;
  const hours: Record<string, number> = { a: 0, b: 0 };
  // The first group had all GPUs for a week.
  let folded: FoldedUse = { at: 0, gpuMs: new Map([["a", 4 * 34 * HOUR]]) };
  for (let hour = 0; hour < 400; hour++) {
    const shares = Object.fromEntries(
      Object.entries(weights).map(([group, weight]) => {
        return [group, { weight, gpuMs: folded.gpuMs.get(group) ?? 0 }];
      }),
    );
    const line = ["a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4"];
    const running = order(line, shares).split(" ").slice(0, 4);
    const span = { from: hour * HOUR, to: (hour + 1) * HOUR };
    const intervals = running.map((each) => ({ group: each[0]!, gpus: 1, ...span }));
    if (hour >= 200) for (const { group } of intervals) hours[group]! += 1;
    folded = { at: span.to, gpuMs: useAt(folded, intervals, span.to, halfLife) };
  }
  assert.ok(Math.abs(hours.b! / hours.a! - 3) < 0.1, JSON.stringify(hours));
  assert.ok(Math.abs(partOfUse("b", folded.gpuMs) - 0.75) < 0.03);
});

test("a group is a project, or all of an account that is in none", () => {
  assert.equal(new Set([groupOf("a", null), groupOf("b", null), groupOf("a", "b")]).size, 3);
  assert.equal(partOfUse("a", new Map()), 0);
});
