// Cron expressions at the edges of daylight saving time, and those that are refused.

import assert from "node:assert/strict";
import { test } from "node:test";
import { CronError, parseCron } from "./cron.ts";

const BERLIN = "Europe/Berlin";
const NEW_YORK = "America/New_York";
const LORD_HOWE = "Australia/Lord_Howe";

// expression, time zone, from, the next instants
const cases: [string, string, string, string[]][] = [
  // 2:30 does not exist on the day on which the clocks go forward: the run is at 3:00.
  ["30 2 * * *", BERLIN, "2027-03-27T12:00Z", ["2027-03-28T01:00Z", "2027-03-29T00:30Z"]],
  // 2:30 exists twice on the day on which they go back: the run is at the first.
  [
    "30 2 * * *",
    BERLIN,
    "2027-10-30T12:00Z",
    ["2027-10-31T00:30Z", "2027-11-01T01:30Z", "2027-11-02T01:30Z"],
  ],
  // An hourly expression runs in every hour, skipped and doubled ones as the clock passes them.
  ["30 * * * *", BERLIN, "2027-03-28T00:00Z", ["2027-03-28T00:30Z", "2027-03-28T01:30Z"]],
  [
    "30 * * * *",
    BERLIN,
    "2027-10-31T00:00Z",
    ["2027-10-31T00:30Z", "2027-10-31T01:30Z", "2027-10-31T02:30Z"],
  ],
  // Lists, ranges and steps over a range follow the wall clock too, however many of their times a gap has.
  ["0,30 2 * * *", BERLIN, "2027-03-27T12:00Z", ["2027-03-28T01:00Z", "2027-03-29T00:00Z"]],
  ["0 2,14 * * *", BERLIN, "2027-03-27T23:00Z", ["2027-03-28T01:00Z", "2027-03-28T12:00Z"]],
  ["0 2,3 * * *", BERLIN, "2027-03-27T23:00Z", ["2027-03-28T01:00Z", "2027-03-29T00:00Z"]],
  ["0-59/20 2 * * *", BERLIN, "2027-03-27T23:00Z", ["2027-03-28T01:00Z", "2027-03-29T00:00Z"]],
  ["30 1-3/2 * * *", BERLIN, "2027-10-31T00:00Z", ["2027-10-31T02:30Z", "2027-11-01T00:30Z"]],
  ["30 2-4/2 * * *", BERLIN, "2027-10-30T12:00Z", ["2027-10-31T00:30Z", "2027-10-31T03:30Z"]],
  ["30 2,*/12 * * *", BERLIN, "2027-10-30T23:00Z", ["2027-10-31T00:30Z", "2027-10-31T11:30Z"]],
  ["0 1,14 * * *", NEW_YORK, "2027-11-07T04:00Z", ["2027-11-07T05:00Z", "2027-11-07T19:00Z"]],
  // A star at the beginning of the minutes or the hours means real time.
  ["*/15 2 * * *", BERLIN, "2027-03-27T12:00Z", ["2027-03-29T00:00Z", "2027-03-29T00:15Z"]],
  ["*/30 2 * * *", BERLIN, "2027-10-31T00:00Z", ["2027-10-31T00:30Z", "2027-10-31T01:00Z"]],
  ["30 */2 * * *", BERLIN, "2027-10-31T00:00Z", ["2027-10-31T00:30Z", "2027-10-31T01:30Z"]],
  ["30 *,2 * * *", BERLIN, "2027-10-31T00:00Z", ["2027-10-31T00:30Z", "2027-10-31T01:30Z"]],
  // Half an hour is skipped, or passes twice.
  ["10-12 2 * * *", LORD_HOWE, "2027-10-02T00:00Z", ["2027-10-02T15:30Z", "2027-10-03T15:10Z"]],
  ["45 1 * * *", LORD_HOWE, "2027-04-03T00:00Z", ["2027-04-03T14:45Z", "2027-04-04T15:15Z"]],
  ["15,45 1 * * *", LORD_HOWE, "2027-04-03T14:30Z", ["2027-04-03T14:45Z", "2027-04-04T14:45Z"]],
  // The clocks change at midnight.
  [
    "0,30 0 * * *",
    "America/Santiago",
    "2027-09-04T12:00Z",
    ["2027-09-05T04:00Z", "2027-09-06T03:00Z"],
  ],
  [
    "30 23 * * *",
    "America/Santiago",
    "2027-04-03T12:00Z",
    ["2027-04-04T02:30Z", "2027-04-05T03:30Z"],
  ],
  // The gap is the last hour of a day.
  [
    "30 23 * * *",
    "America/Scoresbysund",
    "2027-03-27T12:00Z",
    ["2027-03-28T01:00Z", "2027-03-29T00:30Z"],
  ],
  [
    "0,30 23 27,28 * *",
    "America/Scoresbysund",
    "2027-03-27T12:00Z",
    ["2027-03-28T01:00Z", "2027-03-29T00:00Z", "2027-03-29T00:30Z"],
  ],
  [
    "0 0,23 * * *",
    "America/Scoresbysund",
    "2027-03-27T12:00Z",
    ["2027-03-28T01:00Z", "2027-03-29T00:00Z"],
  ],
  [
    "*/30 23 * * *",
    "America/Scoresbysund",
    "2027-03-27T12:00Z",
    ["2027-03-29T00:00Z", "2027-03-29T00:30Z"],
  ],
  ["0 9 * * MON-FRI", "America/New_York", "2027-01-01T15:00Z", ["2027-01-04T14:00Z"]],
  ["0 0 29 2 *", "UTC", "2027-01-01T00:00Z", ["2028-02-29T00:00Z", "2032-02-29T00:00Z"]],
  ["@daily", "Asia/Kolkata", "2027-01-01T00:00Z", ["2027-01-01T18:30Z"]],
];

for (const [expression, timeZone, from, expected] of cases) {
  test(`${expression} in ${timeZone} from ${from}`, async () => {
    const times = await parseCron(expression, timeZone);
    const found: number[] = [];
    let at = Date.parse(from);
    for (const _ of expected) {
      at = times.next(at)!;
      found.push(at);
    }
    const instants = expected.map((each) => Date.parse(each));
    assert.deepEqual(found, instants);
    // The same instants are found backward, the reference included.
    const last = instants.at(-1)!;
    assert.deepEqual(times.previous(last, instants.length), instants.toReversed());
    assert.equal(times.previous(last - 1, 1)[0]! < last, true);
  });
}

test("an expression that is never due has no next instant", async () => {
  assert.equal((await parseCron("0 0 30 2 *", "UTC")).next(0), null);
});

const refused: [expression: string, timeZone: string, field: string, message: RegExp][] = [
  ["", "UTC", "cron", /five fields/],
  ["* * * *", "UTC", "cron", /five fields/],
  ["*/5 * * * * *", "UTC", "cron", /five fields/],
  ["2027-01-01T00:00:00", "UTC", "cron", /five fields/],
  ["5-10/0 * * * *", "UTC", "cron", /step/],
  ["50-70/5 * * * *", "UTC", "cron", /invalid value for minute: 60/],
  ["* 9-5/2 * * *", "UTC", "cron", /larger/],
  ["61 * * * *", "UTC", "cron", /invalid value for minute: 61/],
  ["5-1 * * * *", "UTC", "cron", /larger/],
  ["@reboot", "UTC", "cron", /not supported/],
  ["@hello", "UTC", "cron", /./],
  ["* * * * *", "Mars/Base", "timeZone", /no such time zone/],
  ["* * * * *", "+01:00", "timeZone", /no such time zone/],
  ["* * * * *", "", "timeZone", /no such time zone/],
];

for (const [expression, timeZone, field, message] of refused) {
  test(`"${expression}" in "${timeZone}" is refused`, async () => {
    await assert.rejects(parseCron(expression, timeZone), (error) => {
      assert.ok(error instanceof CronError);
      assert.equal(error.field, field);
      assert.match(error.message, message);
      return true;
    });
  });
}
