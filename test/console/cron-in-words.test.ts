// The words of a cron expression on the pages of schedules say when it runs.

import { strictEqual } from "node:assert";
import { test } from "node:test";
import { cronInWords } from "../../console/src/pages/schedules/cron-in-words.ts";

// cronstrue 3.39.0 says "Every 40 minutes" where runs are 40 and 20 minutes apart, and joins a day of the month and a
// weekday by "and", where the service runs on either (docs/schedules.md).
const table: [cron: string, words: string][] = [
  ["*/15 9-17 * * 1-5", "Every 15 minutes, between 09:00 and 17:59, Monday through Friday"],
  ["*/40 * * * *", "At 0 and 40 minutes past the hour"],
  ["0 */6 * * *", "On the hour, every 6 hours"],
  ["5 */7 * * *", "At 00:05, 07:05, 14:05 and 21:05"],
  ["0 0 */10 * *", "At 00:00, on day 1, 11, 21, and 31 of the month"],
  ["0 0 1 */5 *", "At 00:00, on day 1 of the month, only in January, June, and November"],
  ["0 0 * * */3", "At 00:00, only on Sunday, Wednesday, and Saturday"],
  ["0 12 1-7 * 1", "At 12:00, between day 1 and 7 of the month, or on Monday"],
  [
    "0 0 15W * 1-5",
    "At 00:00, on the weekday nearest day 15 of the month, or Monday through Friday",
  ],
  ["0 0 1 * FRI#2", "At 00:00, on day 1 of the month, or on the second Friday of the month"],
  ["0 0 1-7 3 1", "At 00:00, between day 1 and 7 of the month, or on Monday, only in March"],
  ["0 0 ? * 1", "At 00:00, only on Monday"],
  [" @hourly ", "Every hour"],
  ["*/0 * * * *", ""],
  ["not a cron", ""],
];

for (const [cron, words] of table) {
  test(`${cron} is said as "${words}"`, () => {
    strictEqual(cronInWords(cron), words);
  });
}
