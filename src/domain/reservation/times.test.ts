import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS } from "../../base/units.ts";
import { changedStart, changeError, takesMore } from "./times.ts";

const NOW = 100 * HOUR_MS;
const [PAST, EARLIER, LATER] = [NOW - HOUR_MS, NOW - 2 * HOUR_MS, NOW + HOUR_MS];

for (const [name, before, requested, start] of [
  ["nothing is requested", LATER, undefined, LATER],
  ["a time ahead", LATER, LATER + HOUR_MS, LATER + HOUR_MS],
  ["a time in the past is now", LATER, PAST, NOW],
  ["one that has begun keeps its start", PAST, PAST, PAST],
  ["another time in the past changes nothing", PAST, EARLIER, PAST],
  ["one that has begun moves ahead", PAST, LATER, LATER],
] as const) {
  test(`a changed start: ${name}`, () => {
    assert.equal(changedStart(before, requested, NOW), start);
  });
}

test("a change is checked by its times, and by what it takes", () => {
  const before = { from: PAST, until: LATER, gpuCount: 2 };
  assert.equal(changeError(before, before, NOW), null);
  assert.match(changeError({ from: EARLIER, until: PAST }, before, NOW)!, /has ended/);
  assert.match(changeError(before, { from: PAST, until: NOW }, NOW)!, /is in the past/);
  assert.equal(takesMore(before, { ...before, until: NOW + 1, gpuCount: 1 }), false);
  for (const more of [{ from: EARLIER }, { until: LATER + 1 }, { gpuCount: 3 }])
    assert.equal(takesMore(before, { ...before, ...more }), true);
});
