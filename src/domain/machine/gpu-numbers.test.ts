import assert from "node:assert/strict";
import { test } from "node:test";
import { type GpuNumbers, numberGpus, uuidsOf } from "./gpu-numbers.ts";

test("a number never passes to another UUID", () => {
  const rows: [before: GpuNumbers, listed: [string, number][], after: GpuNumbers][] = [
    [
      {},
      [
        ["a", 0],
        ["b", 1],
      ],
      { a: 0, b: 1 },
    ],
    // The driver numbers anew after "a" is gone.
    [{ a: 0, b: 1 }, [["b", 0]], { a: 0, b: 1 }],
    // A card in place of "a" gets no number that "a" had.
    [
      { a: 0, b: 1 },
      [
        ["c", 0],
        ["b", 1],
      ],
      { a: 0, b: 1, c: 2 },
    ],
    [
      { a: 1 },
      [
        ["c", 1],
        ["b", 0],
        ["d", 2],
      ],
      { a: 1, b: 0, d: 2, c: 3 },
    ],
    [{ a: 0 }, [], { a: 0 }],
  ];
  for (const [before, listed, after] of rows) {
    assert.deepEqual(numberGpus(before, new Map(listed)), after);
  }
});

test("GPUs are named to an engine by their UUIDs, or not at all", () => {
  const numbers = { a: 0, b: 1, c: 3 };
  assert.deepEqual(uuidsOf(numbers, [3, 0]), ["c", "a"]);
  assert.deepEqual(uuidsOf(numbers, []), []);
  assert.equal(uuidsOf(numbers, [0, 2]), null);
  assert.equal(uuidsOf({}, [0]), null);
});
