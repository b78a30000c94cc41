import assert from "node:assert/strict";
import { test } from "node:test";
import { failureChange } from "./failure-rate.ts";

/** failed/ended | threshold: count, percent | announced | change */
const examples = `
  4/4     | 5        | no  | -
  5/5     | 5        | no  | begin
  5/900   | 5        | no  | begin
  5/5     | 5        | yes | -
  3/900   | 5        | yes | -
  2/900   | 5        | yes | end
  0/0     | 5        | yes | end
  1/1     | 1        | no  | begin
  1/50    | 1        | yes | -
  0/50    | 1        | yes | end
  9/100   | 5, 10%  | no  | -
  10/100  | 5, 10%  | no  | begin
  4/4     | 5, 10%  | no  | -
  6/100   | 5, 10%  | yes | -
  4/100   | 5, 10%  | yes | end
  2/4     | 5, 10%  | yes | end
  0/0     | 1, 100% | no  | -`;

for (const line of examples.trim().split("\n")) {
  const [jobs, threshold, announced, change] = line.split("|").map((part) => part.trim());
  test(line.trim().replace(/ +/g, " "), () => {
    const [failed, ended] = jobs!.split("/").map(Number) as [number, number];
    const [count, percent] = threshold!.split(", ") as [string, string | undefined];
    const limits = { count: Number(count), percent: percent ? Number.parseInt(percent, 10) : null };
    const counts = { failed, completed: ended - failed };
    const found = failureChange(announced === "yes", counts, { ...limits, windowMinutes: 10 });
    assert.equal(found ?? "-", change);
  });
}
