import assert from "node:assert/strict";
import { test } from "node:test";
import { durationBucket, quantile } from "./durations.ts";

test("a size begins where the one below it ends", () => {
  assert.equal(durationBucket(0), 0);
  for (let size = 1; size < 60; size++) {
    const from = 2 ** ((size - 1) / 2);
    assert.equal(durationBucket(from), size);
    assert.equal(durationBucket(from * 1.4), size);
  }
});

test("percentiles are within a fifth of what they are", () => {
  const times = Array.from({ length: 1_000 }, (_, n) => 5 + n * 7);
  const sizes = [...Map.groupBy(times, durationBucket)].map(([size, { length: n }]) => ({
    size,
    n,
  }));
  for (const share of [0.5, 0.95, 0.99, 1]) {
    const exact = times[Math.ceil(share * times.length) - 1]!;
    const found = quantile(sizes.reverse(), share)!;
    assert.ok(Math.abs(found - exact) <= exact / 5, `${share}: ${found} for ${exact}`);
  }
});

test("without jobs there are no percentiles, and a zero duration is zero", () => {
  assert.equal(quantile([], 0.5), null);
  assert.equal(quantile([{ size: 0, n: 3 }], 0.99), 0);
});
