// The week of the calendar of reservations, and where its bars stand.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addDays,
  barsOf,
  isDate,
  isWithin,
  weekOf,
} from "../../console/src/pages/reservations/week.ts";

/** In Berlin, where the clocks change on 2026-10-25. */
const midnightOf = (date: string) =>
  Date.parse(`${date}T00:00+0${date <= "2026-10-25" ? 2 : 1}:00`);

test("a week is that of its Monday, also when the clocks change", () => {
  const week = weekOf("2026-10-25", midnightOf);
  assert.equal(week.monday, "2026-10-19");
  const [start, end] = [week.midnights[0]!, week.midnights[7]!];
  assert.equal(new Date(start).toISOString(), "2026-10-18T22:00:00.000Z");
  assert.equal((end - start) / 3_600_000, 7 * 24 + 1);
  assert.equal(weekOf("2026-10-26", midnightOf).monday, "2026-10-26");
  assert.equal(addDays("2026-12-28", 7), "2027-01-04");
  assert.deepEqual(["2026-11-30", "2026-13-01", "", "20"].map(isDate), [true, false, false, false]);
});

test("bars that overlap, with their texts, stand in lanes", () => {
  const week = weekOf("2026-11-30", midnightOf);
  const at = (day: number, hour: number) =>
    new Date(week.midnights[0]! + (day * 24 + hour) * 3_600_000).toISOString();
  const spans = [
    { from: at(0, 9), until: at(0, 12) },
    { from: at(0, 14), until: at(0, 16) },
    { from: at(1, 10), until: at(3, 0) },
    { from: at(6, 20), until: at(8, 0) },
  ];
  const bars = barsOf(spans.toReversed(), week);
  assert.deepEqual(
    bars.map(({ item, lane, text }) => [spans.indexOf(item), lane, text]),
    [
      [0, 0, "after"],
      [1, 1, "after"],
      [2, 0, "inside"],
      [3, 0, "before"],
    ],
  );
  assert.equal(bars[3]!.end, 1);
  assert.ok(isWithin(week, spans[3]!));
  assert.ok(!isWithin(week, { from: at(7, 0), until: at(8, 0) }));
});
