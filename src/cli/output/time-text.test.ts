import assert from "node:assert/strict";
import { test } from "node:test";
import { exactTimeText, timeText } from "./time-text.ts";

test("an instant is text in the time zone of the terminal", () => {
  const instant = new Date(2027, 0, 4, 7, 5, 9, 40).toISOString();
  assert.equal(timeText(instant), "2027-01-04 07:05");
  assert.equal(exactTimeText(instant), "2027-01-04 07:05:09");
});
