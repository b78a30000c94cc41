import assert from "node:assert/strict";
import test from "node:test";
import { medianInterval } from "./median-interval.ts";

const uniform = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

test("the interval of a median lies at the binomial ranks, 40 and 61 of 100 values", () => {
  assert.deepEqual(medianInterval(uniform(100)), { median: 50.5, low: 41, high: 60 });
});

test("the interval of ten values leaves out the lowest and the highest", () => {
  assert.deepEqual(medianInterval(uniform(10)), { median: 5.5, low: 2, high: 9 });
});

test("one value far from the others moves neither the median nor its interval", () => {
  const values = uniform(30);
  const outlier = [...values.slice(0, -1), 1_000_000];
  assert.deepEqual(medianInterval(outlier), medianInterval(values));
});
