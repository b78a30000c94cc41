// Tests of the order in which shares are taken.

import assert from "node:assert/strict";
import { test } from "node:test";
import { byLoad, onDifferentGpus, shareNumbers, wholeNumber } from "./gpu-share.ts";

test("the first shares are on different GPUs, those with the fewest workloads before others", () => {
  const layout = { count: 3, memoryInGb: 10 };
  const [a, b, c] = [0, 1, 2].map((whole) => shareNumbers(whole, layout)) as [
    number[],
    number[],
    number[],
  ];
  const taken = new Set([a[0]!, a[1]!, b[2]!]);
  const free = [...a, ...b, ...c].filter((index) => !taken.has(index));
  const order = byLoad(free, taken);
  assert.deepEqual(order.map(wholeNumber), [2, 1, 2, 0, 1, 2]);
  assert.deepEqual(order.toSorted(), free.toSorted());
  // A reservation of others leaves the first three: two of them for one workload.
  assert.deepEqual(onDifferentGpus(order.slice(0, 3)), [c[0], b[0]]);
  assert.deepEqual(byLoad([3, 1, 2], taken), [3, 1, 2]);
});
