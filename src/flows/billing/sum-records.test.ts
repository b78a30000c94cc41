// Tests for sums of billing records.

import assert from "node:assert/strict";
import { test } from "node:test";
import { noCost } from "../../domain/money/parts.ts";
import type { SpendRecord } from "./history.ts";
import { partsByBucket, sumByGroup } from "./sum-records.ts";

const record = (at: number, group: string, micros: number): SpendRecord => ({
  at,
  group,
  micros,
  parts: { ...noCost, gpu: micros },
  runMs: 10 * micros,
  diskGb: 0,
  fastDiskGb: 0,
});

const pods = [record(1, "A40", 1), record(1, "L4", 2), record(3, "A40", 4)];
const clusters = [record(1, "A40", 8), record(2, "H100", 16)];

test("a GPU type has one record in a bucket, although Pods and clusters use it, oldest first", () => {
  assert.deepEqual(sumByGroup([...pods, ...clusters]), [
    { at: 1, group: "A40", micros: 9, runMs: 90 },
    { at: 1, group: "L4", micros: 2, runMs: 20 },
    { at: 2, group: "H100", micros: 16, runMs: 160 },
    { at: 3, group: "A40", micros: 4, runMs: 40 },
  ]);
});

test("the parts of a bucket are added up", () => {
  const sums = partsByBucket([...pods, ...clusters]);
  assert.deepEqual(
    [...sums].map(([at, { gpu }]) => [at, gpu]),
    [
      [1, 11],
      [3, 4],
      [2, 16],
    ],
  );
});
