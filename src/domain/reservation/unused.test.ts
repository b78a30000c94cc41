import assert from "node:assert/strict";
import { test } from "node:test";
import { decideUnused, releaseTime, type UnusedStep } from "./unused.ts";

const MINUTE_MS = 60_000;
const NOW = 1_000 * MINUTE_MS;
const ago = (minutes: number) => NOW - minutes * MINUTE_MS;
const FREE = { used: 0, free: 2, lent: 0 };
const LENT = { used: 0, free: 0, lent: 2 };
const USED = { used: 1, free: 1, lent: 0 };
const TAKEN = { used: 0, free: 0, lent: 0 };

const AWAITED = { ...FREE, isAwaited: true };

const cases: [string, number | null, number | null, typeof FREE, UnusedStep | null][] = [
  ["used from the beginning", null, null, USED, null],
  ["not used yet", null, null, FREE, "begin"],
  ["lent GPUs are not used either", null, null, LENT, "begin"],
  ["GPUs that others hold cannot be used", null, null, TAKEN, null],
  ["unused for less than half of the time", ago(29), null, FREE, null],
  ["unused for half of the time", ago(30), null, FREE, "warn"],
  ["warned in time", ago(59), ago(29), FREE, null],
  ["unused for the whole time", ago(60), ago(30), FREE, "release"],
  ["used again after the warning", ago(59), ago(29), USED, "use"],
  ["others hold all of them by now", ago(60), ago(30), TAKEN, "use"],
  ["its holder waits for more than is free", null, null, AWAITED, null],
  ["its holder waits by now", ago(60), ago(30), AWAITED, "use"],
  ["warned late, after the service was away", ago(300), ago(1), FREE, null],
  ["never warned, after the service was away", ago(300), null, FREE, "warn"],
];
for (const [name, unusedSince, warnedAt, use, step] of cases) {
  test(`an unused reservation: ${name}`, () => {
    const until = NOW + 600 * MINUTE_MS;
    assert.equal(decideUnused({ until, unusedSince, warnedAt }, use, 60, NOW), step);
  });
}

test("one that ends before it would be released is left alone", () => {
  const reservation = { until: ago(-10), unusedSince: ago(40), warnedAt: null };
  assert.equal(decideUnused(reservation, FREE, 60, NOW), null);
});

test("a warning that comes late moves the release", () => {
  assert.equal(releaseTime({ unusedSince: ago(60), warnedAt: ago(30) }, 60), NOW);
  assert.equal(releaseTime({ unusedSince: ago(300), warnedAt: NOW }, 60), ago(-30));
  assert.equal(releaseTime({ unusedSince: null, warnedAt: null }, 60), null);
});
