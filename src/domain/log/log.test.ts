import assert from "node:assert/strict";
import { test } from "node:test";
import { cursorText, readCursor } from "./cursor.ts";
import { mergeByTime } from "./merge.ts";
import { sinceOf } from "./since.ts";

const NOW = Date.parse("2026-01-31T18:00:00Z");

const sinces: [text: string, ago: number | null][] = [
  ["2026-01-31T17:59:00Z", 60_000],
  ["2026-01-31T19:59:00.5+02:00", 59_500],
  ["90s", 90_000],
  ["10m", 600_000],
  ["1h30m", 5_400_000],
  ["2d", 172_800_000],
  ["0s", 0],
  ["", null],
  ["yesterday", null],
  ["10", null],
  ["m", null],
  ["1m1h", null],
  ["-1h", null],
  ["2026-01-31", null],
  ["2026-13-31T17:59:00Z", null],
];

for (const [text, ago] of sinces) {
  test(`since ${JSON.stringify(text)} is ${ago === null ? "refused" : `${ago} ms ago`}`, () => {
    assert.equal(sinceOf(text, NOW), ago === null ? null : NOW - ago);
  });
}

test("a cursor is parsed as it was written, and no other text is a cursor", () => {
  for (const cursor of [
    { system: 0, container: null },
    { system: 12, container: "2026-01-31T17:59:00.123456789Z/2" },
    { system: 3, container: "70000" },
  ]) {
    assert.deepEqual(readCursor(cursorText(cursor)), cursor);
  }
  for (const text of ["", "1", "a_b", "-1_", "1_\n", `1_${"x".repeat(101)}`]) {
    assert.equal(readCursor(text), null);
  }
});

test("two logs are merged by time, and lines without a time keep their place", () => {
  const line = (at: number | null, text: string) => ({ at, text });
  const a = [line(1, "a1"), line(null, "a2"), line(5, "a3"), line(null, "a4")];
  const b = [line(1, "b1"), line(4, "b2"), line(6, "b3")];
  assert.deepEqual(
    mergeByTime(a, b).map(({ text }) => text),
    ["a1", "a2", "b1", "b2", "a3", "a4", "b3"],
  );
  assert.deepEqual(mergeByTime([], b), b);
  assert.deepEqual(mergeByTime([line(null, "x")], b), [...b, line(null, "x")]);
});
