import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS, MINUTE_MS } from "../../base/units.ts";
import type { Exemption } from "./exemption.ts";
import {
  type LifetimeSources,
  type LifetimeWarning,
  lifetimeOf,
  lifetimeStep,
  lifetimeStopAt,
  type MaxLifetime,
} from "./lifetime.ts";

const hours = (count: number, extendable = true): MaxLifetime => ({
  minutes: count * 60,
  extendable,
});

interface Facts {
  own?: MaxLifetime;
  template?: MaxLifetime;
  project?: MaxLifetime;
  account?: MaxLifetime;
  keptUntil?: number;
  warning?: LifetimeWarning | null;
  cluster?: object;
  sandbox?: boolean;
  byOperator?: boolean;
}

const exemptionBy = (byOperator: boolean): Exemption => ({
  id: "x",
  kind: "pod",
  target: "p",
  until: null,
  reason: "r",
  byOperator,
  createdAt: 0,
  createdBy: null,
});

const podWith = ({ own, template, project, account, ...facts }: Facts): LifetimeSources => ({
  cluster: facts.cluster ?? null,
  desired: {
    maxLifetime: own ?? null,
    runningSince: 0,
    keptUntil: facts.keptUntil ?? null,
    spec: { sandbox: facts.sandbox ?? false, templateLifetime: template ?? null },
  },
  sharedLifetimes: {
    project: project ? { ...project, name: "vision" } : null,
    account: account ?? null,
  },
  exemption: facts.byOperator === undefined ? null : exemptionBy(facts.byOperator),
  lifetimeWarning: facts.warning ?? null,
});

const firstOf = (facts: Facts) => {
  const lifetime = lifetimeOf(podWith(facts));
  return lifetime && [lifetime.policy.from, lifetime.endsAt! / HOUR_MS];
};

const tables: [what: string, facts: Facts, first: [from: string, endsAt: number] | null][] = [
  ["nothing", {}, null],
  ["the shortest of all", { own: hours(9), template: hours(8), project: hours(7) }, ["project", 7]],
  ["its own, if that is shorter", { own: hours(2), account: hours(8) }, ["pod", 2]],
  ["the operator's before a longer one", { own: hours(20), account: hours(8) }, ["account", 8]],
  ["a time that it is kept for", { own: hours(8), keptUntil: 9.5 * HOUR_MS }, ["pod", 9.5]],
  ["no time before its end", { own: hours(8), keptUntil: 2 * HOUR_MS }, ["pod", 8]],
  ["what cannot be extended", { own: hours(8, false), keptUntil: 9 * HOUR_MS }, ["pod", 8]],
  [
    "what cannot be extended, however long another is",
    { own: hours(8), project: hours(9, false), keptUntil: 24 * HOUR_MS },
    ["project", 9],
  ],
  [
    "a cluster by what is set for all",
    { own: hours(1), cluster: {}, project: hours(4) },
    ["project", 4],
  ],
  ["no cluster by its own", { own: hours(1), cluster: {} }, null],
  [
    "no cluster for longer",
    { account: hours(4), cluster: {}, keptUntil: 9 * HOUR_MS },
    ["account", 4],
  ],
  [
    "nothing but the operator, if it is exempt",
    { own: hours(1), account: hours(4), byOperator: false },
    ["account", 4],
  ],
  [
    "nothing, if the operator exempts it",
    { own: hours(1), account: hours(4), byOperator: true },
    null,
  ],
  ["no sandbox", { account: hours(4), sandbox: true }, null],
];
for (const [what, facts, first] of tables)
  test(`a Pod's life is limited by ${what}`, () => assert.deepEqual(firstOf(facts), first));

/** Steps through time as the loop does; returns what was done when, in minutes. */
function live(facts: Facts, ticks: number[]) {
  const done: [string, number][] = [];
  let warning = facts.warning ?? null;
  for (const minute of ticks) {
    const step = lifetimeStep(podWith({ ...facts, warning }), minute * MINUTE_MS);
    if (step?.do === "warn") warning = step.warning;
    if (step && step.do !== "wait") done.push([step.do, minute]);
    if (step?.do === "stop") break;
  }
  return done;
}

const minutes = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

test("a Pod is warned 30 and 5 minutes before it stops", () => {
  const done = live({ own: hours(1) }, minutes(0, 90));
  assert.deepEqual(done, [
    ["warn", 30],
    ["warn", 55],
    ["stop", 60],
  ]);
  const short = live({ own: { minutes: 10, extendable: true } }, minutes(0, 90));
  assert.deepEqual(short, [
    ["warn", 5],
    ["stop", 10],
  ]);
  const step = lifetimeStep(podWith({ own: hours(1) }), 0);
  assert.deepEqual(step, { do: "wait", until: 30 * MINUTE_MS });
});

test("a Pod that is past its end is warned first", () => {
  // Its project got a maximum, or the service was down.
  assert.deepEqual(live({ project: hours(1) }, minutes(600, 700)), [
    ["warn", 600],
    ["stop", 605],
  ]);
  const warning = { endsAt: HOUR_MS, stopsAt: 605 * MINUTE_MS, at: 600 * MINUTE_MS, level: 1 };
  assert.equal(lifetimeStopAt(podWith({ project: hours(1), warning })), 605 * MINUTE_MS);
});

test("a clock that is set back stops nothing early, and warns again", () => {
  const facts = { own: hours(1) };
  const done = live(facts, [31, 32, ...minutes(10, 57), ...minutes(40, 70)]);
  assert.deepEqual(done, [
    ["warn", 31],
    ["warn", 55],
    ["warn", 40],
    ["warn", 55],
    ["stop", 60],
  ]);
});

test("a warning about another end counts no more", () => {
  const warning = { endsAt: HOUR_MS, stopsAt: HOUR_MS, at: 55 * MINUTE_MS, level: 1 };
  const extended = { own: hours(1), keptUntil: 2 * HOUR_MS, warning };
  assert.deepEqual(live(extended, minutes(56, 130)), [
    ["warn", 90],
    ["warn", 115],
    ["stop", 120],
  ]);
  // The maximum became shorter.
  const shorter = { own: { minutes: 40, extendable: true }, warning };
  assert.deepEqual(live(shorter, minutes(57, 70)), [
    ["warn", 57],
    ["stop", 62],
  ]);
});
