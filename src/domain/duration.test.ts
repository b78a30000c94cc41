import assert from "node:assert/strict";
import { test } from "node:test";
import { counted } from "../base/text/counted.ts";
import { durationText, parseDuration } from "./duration.ts";

const rows: [ms: number, text: string][] = [
  [-5, "0 ms"],
  [0, "0 ms"],
  [12, "12 ms"],
  [999, "999 ms"],
  [1_000, "1 s"],
  [1_940, "1.9 s"],
  [9_949, "9.9 s"],
  [9_960, "10 s"],
  [31_400, "31 s"],
  [119_400, "119 s"],
  [120_000, "2 min"],
  [312_000, "5 min 12 s"],
  [119_600, "2 min"],
  [7_199_600, "2 h"],
  [2 * 3_600_000, "2 h"],
  [3 * 3_600_000 + 5 * 60_000, "3 h 5 min"],
  [50 * 3_600_000, "2 d 2 h"],
  [7 * 24 * 3_600_000, "7 d"],
];

for (const [ms, text] of rows)
  test(`${ms} ms is ${text}`, () => assert.equal(durationText(ms), text));

test("one worker, two workers", () => {
  assert.equal(counted(1, "worker"), "1 worker");
  assert.equal(counted(0, "worker"), "0 workers");
});

test("a duration is one or more counts with units", () => {
  assert.equal(parseDuration("7d"), 604_800_000);
  assert.equal(parseDuration("1h30m"), 5_400_000);
  assert.equal(parseDuration("250ms"), 250);
  assert.equal(parseDuration("2w"), 1_209_600_000);
  for (const text of ["", "7", "-7d", "7 d", "1.5h", "d", "7y"])
    assert.equal(parseDuration(text), null);
});
