import assert from "node:assert/strict";
import { test } from "node:test";
import { lostMachines } from "./lost-machines.ts";

const LOST_MS = 30;
const rows: [name: string, seenAt: number | null, since: number, now: number, lost: boolean][] = [
  ["heard of just now", 100, 0, 100, false],
  ["silent, but not for long enough", 100, 0, 129, false],
  ["silent for the whole time", 100, 0, 130, true],
  ["silent while nobody listened", 0, 100, 129, false],
  ["and for as long again", 0, 100, 130, true],
  ["never heard of, in the first moments", null, 100, 129, false],
  ["never heard of", null, 100, 130, true],
];

for (const [name, seenAt, since, now, lost] of rows) {
  test(`a machine ${name} is ${lost ? "" : "not "}lost`, () => {
    const found = lostMachines([{ machine: "m", seenAt }], now, since, LOST_MS);
    assert.deepEqual(found, lost ? ["m"] : []);
  });
}
