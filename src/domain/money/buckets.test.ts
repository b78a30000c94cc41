import assert from "node:assert/strict";
import { test } from "node:test";
import { type BucketSize, bucketEnd, bucketStart } from "./buckets.ts";

const at = Date.parse("2026-02-28T23:59:59.999Z"); // a Saturday

const table: [BucketSize, string, string][] = [
  ["hour", "2026-02-28T23:00:00.000Z", "2026-03-01T00:00:00.000Z"],
  ["day", "2026-02-28T00:00:00.000Z", "2026-03-01T00:00:00.000Z"],
  ["week", "2026-02-23T00:00:00.000Z", "2026-03-02T00:00:00.000Z"],
  ["month", "2026-02-01T00:00:00.000Z", "2026-03-01T00:00:00.000Z"],
  ["year", "2026-01-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"],
];

for (const [size, start, end] of table) {
  test(`a ${size} goes from ${start} to ${end}`, () => {
    assert.equal(new Date(bucketStart(size, at)).toISOString(), start);
    assert.equal(new Date(bucketEnd(size, at)).toISOString(), end);
    assert.equal(bucketStart(size, Date.parse(start)), Date.parse(start));
    assert.equal(bucketEnd(size, Date.parse(end) - 1), Date.parse(end));
  });
}
