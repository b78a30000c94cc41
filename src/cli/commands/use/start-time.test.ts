import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTime } from "./start-time.ts";

/** A Wednesday, in the time zone of this process. */
const now = new Date(2027, 0, 13, 10, 30).getTime();
const local = (day: number, hour: number, minute = 0) =>
  new Date(2027, 0, day, hour, minute).getTime();

const cases: [text: string, at: number | null][] = [
  ["now", now],
  ["in 2h", now + 7_200_000],
  ["+1h30m", now + 5_400_000],
  ["45m", now + 2_700_000],
  ["today 18:00", local(13, 18)],
  ["Tomorrow 09:00", local(14, 9)],
  ["tomorrow", local(14, 0)],
  ["11:00", local(13, 11)],
  ["9:15", local(14, 9, 15)],
  ["friday 08:00", local(15, 8)],
  ["wednesday 08:00", local(20, 8)],
  ["wednesday 12:00", local(13, 12)],
  ["2027-01-20", local(20, 0)],
  ["2027-01-20 09:00", local(20, 9)],
  ["2027-01-20T9:00", local(20, 9)],
  ["2027-01-20T09:00Z", Date.UTC(2027, 0, 20, 9)],
  ["2027-01-20T09:00:00+02:00", Date.UTC(2027, 0, 20, 7)],
  ["2027-02-30 09:00", null],
  ["2027-01-20 25:00", null],
  ["24:00", null],
  ["someday 09:00", null],
  ["9 o'clock", null],
  ["", null],
];

for (const [text, at] of cases) {
  test(`the time "${text}"`, () => assert.equal(parseTime(text, now), at));
}
