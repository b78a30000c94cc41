import assert from "node:assert/strict";
import { test } from "node:test";
import { addParts, costParts, noCost, type SplitCost } from "./parts.ts";

test("a cost is split by what it is for", () => {
  const pod: SplitCost = { micros: 10, diskMicros: 3, gpuTypeId: "G", volumeType: "" };
  const rows: [cost: SplitCost, parts: object][] = [
    [pod, { gpu: 7, disk: 3 }],
    [
      { ...pod, gpuTypeId: "" },
      { cpu: 7, disk: 3 },
    ],
    [{ ...pod, diskMicros: 10 }, { disk: 10 }],
    [{ ...pod, volumeType: "STANDARD" }, { standard: 10 }],
    [{ ...pod, volumeType: "HIGH_PERFORMANCE" }, { highPerformance: 10 }],
  ];
  for (const [cost, parts] of rows) {
    const split = costParts(cost);
    assert.deepEqual(split, { ...noCost, ...parts });
    const sum = Object.values(addParts(split, noCost)).reduce((a, b) => a + b);
    assert.equal(sum, cost.micros);
  }
});
