import assert from "node:assert/strict";
import { test } from "node:test";
import { HOUR_MS } from "../../base/units.ts";
import { heldParts, inMicros } from "./held-cost.ts";

test("a job costs the time that it was held, at the worker's price of that time", () => {
  const times = [
    { rate: 3_600_000, beganAt: 0, endedAt: 10_000 },
    { rate: 7_200_000, beganAt: 10_000, endedAt: null },
  ];
  const cost = (from: number, to: number) => inMicros(heldParts({ from, to }, times));
  assert.equal(cost(1_000, 2_000), 1_000);
  assert.equal(cost(9_000, 11_000), 1_000 + 2_000);
  assert.equal(cost(20_000, 20_000 + HOUR_MS), 7_200_000);
  assert.equal(cost(5_000, 5_000), 0);
  assert.equal(inMicros(heldParts({ from: 0, to: HOUR_MS }, [])), 0, "a process costs nothing");
  const [first] = times;
  assert.equal(
    inMicros(heldParts({ from: 0, to: HOUR_MS }, [first!])),
    10_000,
    "not beyond its end",
  );
  assert.deepEqual([inMicros(1_799_999n), inMicros(1_800_000n)], [0, 1]);
});
